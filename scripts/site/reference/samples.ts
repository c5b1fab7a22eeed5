/** Samples of an operation: the command that sends it, and what comes back, as recorded from the service. */

import { escapeHtml } from '../frame.ts'
import type { Answer, Entry, Media, Parameter } from './document.ts'
import { codeBlock, exampleText } from './markup.ts'

/** The server of the documents; the page's script puts its own address in this place. */
export const exampleServer = 'http://127.0.0.1:8080'

/** Within single quotes of a shell. */
const quoted = (text: string): string => text.replaceAll("'", String.raw`'\''`)

const isSent = ({ in: place, required, example }: Parameter): boolean =>
  place === 'path' || (place === 'query' && required === true && example !== undefined)

/** The path with the recorded values of what it must have. */
function addressOf({ path, operation: { parameters = [] } }: Entry): string {
  const query = new URLSearchParams()
  let filled = path
  for (const { name, in: place, example } of parameters.filter(isSent)) {
    if (place === 'query') query.set(name, String(example))
    else if (example !== undefined) filled = filled.replace(`{${name}}`, encodeURIComponent(String(example)))
  }
  return `${exampleServer}${filled}${query.size === 0 ? '' : `?${query.toString()}`}`
}

/** The key or, where only a person may call, the cookie of a session: `NAME=value`. */
function credentialsOf({ method, operation: { security = [] } }: Entry): string[] {
  if (security.length === 0) return []
  if (security.some((scheme) => 'bearer' in scheme)) return ['-H "Authorization: Bearer $FAIRWAY_API_KEY"']
  const cookie = '-b "$FAIRWAY_SESSION_COOKIE"'
  return method === 'GET' ? [cookie] : [cookie, `-H 'Origin: ${exampleServer}'`]
}

/** Markup of a command to copy. The body is in an element of its own, where the form of the page finds it. */
function curl(entry: Entry, type: string | null, media: Media): string {
  const address = addressOf(entry)
  const command = [
    `curl ${entry.method === 'GET' ? '' : `-X ${entry.method} `}${/[{}?]/.test(address) ? `'${address}'` : address}`,
    ...credentialsOf(entry),
    ...(type === null ? [] : [`-H 'Content-Type: ${type}'`]),
  ]
  const lines = escapeHtml(command.join(' \\\n  '))
  if (type === null || media.example === undefined) return lines
  const body = escapeHtml(quoted(exampleText(media.example)))
  // Without it curl removes the line breaks of a CSV file.
  const option = type === 'text/csv' ? '--data-binary' : '-d'
  return `${lines} \\\n  ${option} '<span data-body="${escapeHtml(type)}">${body}</span>'`
}

/** Markup: one command for each type of body. */
export function requestSamples(entry: Entry): string {
  const { method, path, operation } = entry
  const bodies = Object.entries(operation.requestBody?.content ?? {})
  if (entry.isEvent)
    return bodies.map(([, media]) => exampleBlock('The request that you receive', path, media)).join('')
  const named = `${method} ${path}`
  const isPlain = bodies.every(([, media]) => media.example === undefined)
  if (isPlain) return codeBlock('curl', `curl, ${named}`, curl(entry, null, {}))
  return bodies
    .map(([type, media]) => {
      const title = bodies.length === 1 ? 'curl' : `curl, ${type}`
      return codeBlock(title, `${title}, ${named}`, curl(entry, type, media))
    })
    .join('')
}

/** Markup: an example of each type of a successful answer. */
export function answerSamples({ method, path }: Entry, status: string, { content = {} }: Answer): string {
  return Object.entries(content)
    .map(([type, media]) => {
      const title = `${status} ${type}`
      return exampleBlock(title, `${method} ${path}`, media)
    })
    .join('')
}

function exampleBlock(title: string, of: string, { example: value }: Media): string {
  return value === undefined ? '' : codeBlock(title, `${title}, ${of}`, escapeHtml(exampleText(value)))
}
