/** Reads a CPU profile and sums the time of each part of the request path. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Frame {
  readonly functionName: string
  readonly url: string
}

interface Node {
  readonly id: number
  readonly callFrame: Frame
  readonly children?: readonly number[]
}

interface Profile {
  readonly startTime: number
  readonly nodes: readonly Node[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

export interface Part {
  readonly name: string
  /** Matches a stack: function names with their files, innermost first. */
  readonly isOf: (stack: string) => boolean
}

const contains =
  (...marks: readonly string[]) =>
  (stack: string): boolean =>
    marks.some((mark) => stack.includes(mark))

/** The first match wins. */
export const parts: readonly Part[] = [
  { name: 'waiting', isOf: (stack) => stack.startsWith('(idle)') },
  { name: 'collecting garbage', isOf: (stack) => stack.startsWith('(garbage collector)') },
  { name: 'limit', isOf: contains('postgres-limiter.ts', 'memory-limiter.ts', 'rolling-window.ts') },
  {
    name: 'commit: handed to the store',
    isOf: contains('sqlite-writer.ts', 'commit-batch.ts', 'transactOnce'),
  },
  { name: 'look, and answers of the store', isOf: contains('/adapters/store/', '/node_modules/pg') },
  { name: 'answer: headers and socket', isOf: contains('/fastify/lib/reply.js') },
  { name: 'decide', isOf: contains('/src/core/') },
  {
    name: 'answer and evidence as text',
    isOf: contains('/src/app/verify/answer.ts', '/src/app/verify/evidence.ts', 'compute '),
  },
  {
    name: 'key',
    isOf: contains('/src/http/auth.ts', '/src/app/access/keys.ts', '/src/app/access/key-use.ts'),
  },
  {
    name: 'body: read and checked',
    isOf: contains('/src/http/input/body.ts', '/validator.ts', '/lib/validation.js', '/typebox/'),
  },
  { name: 'our hooks and handlers', isOf: contains('/src/') },
  { name: 'Fastify', isOf: contains('/node_modules/') },
  { name: 'Node: HTTP, streams, promises', isOf: contains('node:') },
  { name: 'native', isOf: () => true },
]

/** Microseconds per part between two times of the system's monotonic clock. */
export function readProfile(directory: string, fromUs: number, toUs: number): Map<string, number> {
  const files = readdirSync(directory).map((name) => join(directory, name))
  // The main thread's profile has the number 0.
  const path = files.find((name) => /\.0\.\d+\.cpuprofile$/.test(name))
  if (path === undefined) throw new Error(`there is no profile in ${directory}`)
  const profile = JSON.parse(readFileSync(path, 'utf8')) as Profile
  const partOf = partsOf(profile)
  const sums = new Map(parts.map(({ name }) => [name, 0]))
  let atUs = profile.startTime
  for (const [place, deltaUs] of profile.timeDeltas.entries()) {
    atUs += deltaUs
    const part = partOf.get(profile.samples[place] ?? 0)
    if (part === undefined || atUs < fromUs || atUs > toUs) continue
    sums.set(part, (sums.get(part) ?? 0) + deltaUs)
  }
  return sums
}

function partsOf({ nodes }: Profile): Map<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const callers = new Map<number, number>()
  for (const { id, children = [] } of nodes) for (const child of children) callers.set(child, id)
  const stackOf = (id: number): string => {
    const names: string[] = []
    for (let at: number | undefined = id; at !== undefined; at = callers.get(at)) {
      const frame = byId.get(at)?.callFrame
      if (frame !== undefined) names.push(`${frame.functionName} ${frame.url}`)
    }
    return names.join('\n')
  }
  return new Map(
    nodes.map(({ id }) => {
      const stack = stackOf(id)
      return [id, parts.find(({ isOf }) => isOf(stack))?.name ?? 'native']
    }),
  )
}
