/** The baseline of `fairway assess`: copies a file with csv-parse and csv-stringify in one process. */

import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { parse } from 'csv-parse'
import { stringify } from 'csv-stringify'

const [, , from, to] = process.argv
if (from === undefined || to === undefined) throw new Error('usage: node bench/batch/copy-csv.ts FROM TO')
await pipeline(createReadStream(from), parse(), stringify(), createWriteStream(to))
