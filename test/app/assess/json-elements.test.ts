/** A JSON list of any length is cut into pieces of whole elements, and what is not JSON is told with its line. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { InputFault, type Chunk } from '../../../src/app/assess/input-fault.ts'
import { JsonSplitter, readElements } from '../../../src/app/assess/json-elements.ts'

interface Split {
  readonly elements: unknown[]
  readonly chunks: Chunk[]
  readonly reportName: unknown
}

/** Fed in pieces of this many bytes. */
function split(text: string | Uint8Array, pieceBytes: number): Split {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const splitter = new JsonSplitter()
  const chunks: Chunk[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const chunk = splitter.push(bytes.subarray(at, at + pieceBytes))
    if (chunk !== null) chunks.push(chunk)
  }
  const { reportName } = splitter.end()
  return { elements: chunks.flatMap(readElements), chunks, reportName }
}

function faultOf(text: string | Uint8Array, pieceBytes = 7): string {
  try {
    split(text, pieceBytes)
    return 'none'
  } catch (error) {
    if (!(error instanceof InputFault)) throw error
    return `${error.line ?? '-'} ${error.message}`
  }
}

const anyPiece = fc.integer({ min: 1, max: 40 })
const anySpace = fc.constantFrom('', ' ', '\n', '\r\n\t')

test('whatever the pieces, the elements are those of JSON.parse', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue({ maxDepth: 3 })),
      anySpace,
      anyPiece,
      fc.boolean(),
      (elements, space, size, bare) => {
        const list = `[${space}${elements.map((one) => JSON.stringify(one)).join(`${space},${space}`)}${space}]`
        const text = bare
          ? `${space}${list}${space}`
          : `{"note":[1,{"transactions":[9]}],${space}"transactions"${space}:${space}${list},"report_name":"A \\" [ name"}`
        const { elements: found, chunks, reportName } = split(text, size)
        assert.deepEqual(found, JSON.parse(list))
        assert.equal(reportName, bare ? undefined : 'A " [ name')
        let next = 0
        for (const chunk of chunks) {
          assert.equal(chunk.firstRow, next)
          next += chunk.rows
        }
        assert.equal(next, elements.length)
      },
    ),
  )
})

test('a byte order mark before the list is not part of it', () => {
  assert.deepEqual(split('\ufeff[1,2]', 1).elements, [1, 2])
})

test('what is not a JSON list of transactions is told, with its line where there is one', () => {
  const cases: readonly (readonly [string | Uint8Array, RegExp])[] = [
    ['', /^- is empty/],
    ['  \n ', /^- is empty/],
    ['{}', /^- has no list of transactions/],
    ['{"transactions":{}}', /^- has no list of transactions/],
    ['"transactions"', /^- has no list of transactions/],
    ['7', /^- has no list of transactions/],
    ['corridor,amount', /^- is not valid JSON/],
    ['[1,2', /^1 ends in the middle/],
    ['{"transactions":[{"a":1},\n{"a":2}', /^2 ends in the middle/],
    ['[1,]', /^1 is not valid JSON/],
    ['[1,,2]', /^1 is not valid JSON/],
    ['[\n{"corridor":"GB-NG"},\n{"corridor": GB-NG}\n]', /^3 is not valid JSON/],
    ['[1]]', /^1 is not valid JSON/],
    ['[1] x', /^1 is not valid JSON/],
    ['{"transactions":[1],"transactions":[2]}', /^1 has two lists of transactions/],
    ['{"transactions":[1], oops}', /^1 is not valid JSON/],
    [
      Buffer.concat([Buffer.from('["a",\n"'), Buffer.from([0xff]), Buffer.from('"]')]),
      /^2 is not text in UTF-8/,
    ],
    [`[${'x'.repeat(1_048_600)}`, /^1 has an element of more than 1 MiB/],
  ]
  for (const [text, expected] of cases) {
    const size = text.length > 1_000 ? 65_536 : 7
    assert.match(faultOf(text, size), expected, String(text).slice(0, 60))
  }
})

test('a list without elements has no rows', () => {
  for (const text of ['[]', '[ \n ]', '{"transactions":[]}']) assert.deepEqual(split(text, 3).chunks, [])
})
