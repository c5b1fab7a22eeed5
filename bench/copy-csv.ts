/** The baseline of `fairway assess`: csv-parse reads a file and csv-stringify writes it again, in one process. */

import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { parse } from 'csv-parse'
import { stringify } from 'csv-stringify'

const [, , from, to] = process.argv
if (from === undefined || to === undefined) throw new Error('usage: node bench/copy-csv.ts FROM TO')
await pipeline(createReadStream(from), parse(), stringify(), createWriteStream(to))
