/** Dependencies of the user commands: environment, terminal, settings file, and a way to start a server. */

export interface Terminal {
  /** Whether standard output is a terminal. */
  readonly isOutputTerminal: boolean
  /** Null without a terminal. */
  readonly columns: number | null
  readonly hasColour: boolean
  /** Whether standard error is a terminal. */
  readonly isErrorTerminal: boolean
  /** Whether standard input is a terminal, so that the command can prompt. */
  readonly isInputTerminal: boolean
  /** Writes the result to standard output. */
  write(text: string): void
  /** Writes everything else to standard error. */
  writeError(text: string): void
  /** Prompts for a line; null at the end of input. */
  promptLine(question: string): Promise<string | null>
  /** Prompts for a line without echo. */
  askHidden(question: string): Promise<string | null>
  /** The first line of a standard input that is not a terminal. */
  readLine(): Promise<string | null>
}

export type SettingsText =
  | { readonly kind: 'absent' }
  /** Other users can access the file, so it is not read. */
  | { readonly kind: 'open_to_others' }
  | { readonly kind: 'read'; readonly text: string }

/** The file that stores the server address and its key. */
interface SettingsFile {
  readonly path: string
  /** Throws `FileFault` on a system error. */
  read(): Promise<SettingsText>
  /** Atomic; readable only by the file's owner. */
  write(text: string): Promise<void>
  remove(): Promise<void>
}

export interface ServerPlace {
  readonly host: string
  readonly port: number
}

/** A server that keeps running after the command. */
export interface StartedServer {
  readonly pid: number
  readonly logFile: string
  /** Whether it has exited, as a server does that cannot start. */
  hasEnded(): boolean
  /** Whether it has reported that it is listening. Another server may have taken the address first. */
  isListening(): boolean
  /** The last lines that it wrote to the log. */
  lastLogLines(): Promise<string[]>
  /** Stops it and waits until it has exited. */
  stop(): Promise<void>
}

export interface UserDeps {
  /** `FAIRWAY_URL` and `FAIRWAY_API_KEY`; null if not set. */
  readonly environment: { readonly url: string | null; readonly apiKey: string | null }
  readonly terminal: Terminal
  readonly settingsFile: SettingsFile
  /** Throws `FileFault`, also if the file exists and `overwrite` is false. */
  writeFile(path: string, text: string, overwrite: boolean): Promise<void>
  startServer(place: ServerPlace): Promise<StartedServer>
}
