/** Measures the search for repeated members in a body, relative to parsing the body. */

import { membersIn } from '../../src/core/reference/repeated-members.ts'
import { everydayBody, type Bench } from '../bench.ts'
import { medianOf, spreadOf, type Row } from '../report.ts'

/** A large batch, near the limit of 1 MiB. */
const batch = {
  transactions: Array.from({ length: 500 }, (_, place) => ({
    ...everydayBody,
    id: `payment-${place}`,
    rail: 'x'.repeat(1_900),
  })),
}

const bodies = [
  { name: 'an everyday body', bytes: Buffer.from(JSON.stringify(everydayBody)), repeats: 200_000 },
  { name: 'a batch of 1 MB', bytes: Buffer.from(JSON.stringify(batch)), repeats: 40 },
]

/** Uses every result, so that no work can be optimised away. */
let sink = 0

function microsecondsOf(repeats: number, work: () => number): number {
  const startedMs = performance.now()
  for (let repeat = 0; repeat < repeats; repeat += 1) sink += work()
  return ((performance.now() - startedMs) * 1000) / repeats
}

export function benchBody({ sizes, print }: Bench): Promise<Row[]> {
  const rows = bodies.map(({ name, bytes, repeats }): Row => {
    const rounds = Array.from({ length: sizes.rounds + 1 }, () => ({
      parseUs: microsecondsOf(
        repeats,
        () => Object.keys(JSON.parse(bytes.toString('utf8')) as object).length,
      ),
      membersUs: microsecondsOf(repeats, () => membersIn(bytes)),
    })).slice(1)
    return {
      group: 'body',
      row: `repeated members in ${name}, relative to parsing it`,
      value: medianOf(rounds.map(({ membersUs }) => membersUs)),
      unit: 'us',
      ratio: spreadOf(rounds.map(({ membersUs, parseUs }) => membersUs / parseUs)),
      target: null,
      detail: { bytes: bytes.length, rounds },
    }
  })
  if (sink === 0) throw new Error('nothing was measured')
  print(`body: ${sizes.rounds} rounds`)
  return Promise.resolve(rows)
}
