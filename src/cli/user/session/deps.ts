/** What the user commands are handed: settings of the environment, a terminal, a settings file, a server to start. */

export interface Terminal {
  /** Whether people read the answer, or a program. */
  readonly isOutputTerminal: boolean
  /** Null where nothing has a width. */
  readonly columns: number | null
  readonly hasColour: boolean
  /** Whether notes on the error output are read as they come. */
  readonly isErrorTerminal: boolean
  /** Whether somebody can be asked. */
  readonly isInputTerminal: boolean
  /** The answer, on standard output. */
  write(text: string): void
  /** Everything else, on the error output. */
  writeError(text: string): void
  /** A line, without its end; null where there is none to come. */
  askLine(question: string): Promise<string | null>
  /** The same, of which nothing is shown. */
  askHidden(question: string): Promise<string | null>
  /** The first line of a standard input that is no terminal. */
  readLine(): Promise<string | null>
}

export type SettingsText =
  | { readonly kind: 'absent' }
  /** Others than its owner may use it, and so it is not read. */
  | { readonly kind: 'open_to_others' }
  | { readonly kind: 'read'; readonly text: string }

/** The file that keeps an address and its key between commands. */
interface SettingsFile {
  readonly path: string
  /** Throws `FileFault` where the system refuses. */
  read(): Promise<SettingsText>
  /** Whole or not at all, for its owner alone. */
  write(text: string): Promise<void>
  remove(): Promise<void>
}

export interface ServerPlace {
  readonly host: string
  readonly port: number
}

/** A server that goes on when the command has ended. */
export interface StartedServer {
  readonly pid: number
  readonly logFile: string
  /** Whether it has ended by itself, as one does that cannot start. */
  hasEnded(): boolean
  /** Whether it has said that it takes requests: another may have been quicker to take the address. */
  isListening(): boolean
  /** The last lines that it has left in the log. */
  lastWords(): Promise<string[]>
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>
}

export interface UserDeps {
  /** `FAIRWAY_URL` and `FAIRWAY_API_KEY`; null where they are not set. */
  readonly environment: { readonly url: string | null; readonly apiKey: string | null }
  readonly terminal: Terminal
  readonly settingsFile: SettingsFile
  /** Throws `FileFault`; without `overwrite` also where the file is there. */
  writeFile(path: string, text: string, overwrite: boolean): Promise<void>
  startServer(place: ServerPlace): Promise<StartedServer>
}
