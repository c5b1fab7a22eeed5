/** Files that are read whole, as text. */

import { CommandFailure, type CliDeps } from './deps.ts'

/** All of them fit into a few kilobytes. */
const fileBytesMax = 1024 * 1024

export interface SmallText {
  readonly name: string
  readonly text: string
}

/** `what` it should be, for people. */
export async function readSmallText(parts: CliDeps, path: string, what: string): Promise<SmallText> {
  const input = await parts.openInput(path, new AbortController().signal)
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of input.pieces) {
    bytes += piece.byteLength
    if (bytes > fileBytesMax) throw new CommandFailure(`${input.name} is larger than any ${what}`)
    pieces.push(piece)
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))
    return { name: input.name, text }
  } catch {
    throw new CommandFailure(`${input.name} is not UTF-8`)
  }
}
