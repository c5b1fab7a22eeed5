/** Serves files from memory: one buffer for each file and encoding, whoever reads it, with a validator. */

import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound, sendProblem } from './errors.ts'
import type { App, Encoding, Forms, ReadForm } from './types.ts'

/** In the order of preference. */
const encodings: readonly Encoding[] = ['br', 'gzip', 'identity']

export interface StaticFile {
  readonly headers: Readonly<Record<string, string>>
  /** How the file is read in each encoding that it has: once, when it is first asked for. */
  readonly forms: Forms
}

interface Loaded {
  readonly bytes: Buffer
  readonly etag: string
}

export function serveFile(app: App, url: string, file: StaticFile): void {
  app.get(url, { schema: { hide: true } }, createSend(file))
}

/** A handler, which may serve several addresses. */
export function createSend({ headers, forms }: StaticFile) {
  const loaded = new Map<Encoding, Promise<Loaded>>()

  function load(encoding: Encoding): Promise<Loaded> {
    const known = loaded.get(encoding)
    if (known !== undefined) return known
    const loading = readForm(forms[encoding] ?? forms.identity)
    loaded.set(encoding, loading)
    loading.catch(() => loaded.delete(encoding))
    return loading
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const accepted = acceptedBy(request.headers['accept-encoding'] ?? '')
    const encoding = encodings.find((one) => one in forms && accepted(one)) ?? 'identity'
    const form = await load(encoding).catch(nullIfMissing)
    if (form === null) return sendProblem(reply, notFound)
    const { bytes, etag } = form
    reply.headers({ ...headers, etag, vary: 'accept-encoding' })
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.send(bytes)
  }
}

/** A later build has taken the place of the one that is served. */
function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

async function readForm(read: ReadForm): Promise<Loaded> {
  const bytes = await read()
  return { bytes, etag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"` }
}

/** Encodings that the header names, unless with a weight of 0. The file as it is suits everybody. */
function acceptedBy(header: string): (encoding: Encoding) => boolean {
  const named = new Set<string>()
  for (const part of header.toLowerCase().split(',', 20)) {
    const [name = '', weight = ''] = part.split(';').map((piece) => piece.trim())
    if (!/^q=0(?:\.0*)?$/.test(weight)) named.add(name)
  }
  return (encoding) => encoding === 'identity' || named.has(encoding)
}

function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
