/** Reads small text files into memory. */

import { CommandFailure, type CliDeps } from './deps.ts'

/** Valid files have a few kilobytes, or two megabytes with policies near their limits. */
const fileBytesMax = 4 * 1024 * 1024

export interface SmallText {
  readonly name: string
  readonly text: string
}

/** `kind` names the expected content in error messages. */
export async function readSmallText(deps: CliDeps, path: string, kind: string): Promise<SmallText> {
  const input = await deps.openInput(path, new AbortController().signal)
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of input.pieces) {
    bytes += piece.byteLength
    if (bytes > fileBytesMax)
      throw new CommandFailure(
        `${input.name} is too large: a valid ${kind} has at most ${fileBytesMax} bytes`,
      )
    pieces.push(piece)
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))
    return { name: input.name, text }
  } catch {
    throw new CommandFailure(`${input.name} is not valid UTF-8`)
  }
}
