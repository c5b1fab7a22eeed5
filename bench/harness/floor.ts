/**
 * The floor of a verify: the smallest program that does the same durable work. Fastify, the same body and answer, and one
 * batched append of record, key and queue row with a flush. It looks nothing up, decides nothing and limits nobody.
 */

import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { DatabaseSync } from 'node:sqlite'
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox'
import Fastify, { LogController } from 'fastify'
import pg from 'pg'
import { createLogger } from '../../src/adapters/logger.ts'
import { VerifyBody, VerifyQuery } from '../../src/http/schemas/verify.ts'

interface Append {
  readonly id: string
  readonly key: string | null
  readonly answer: string
}

/** Resolves when all are on disk. */
type WriteBatch = (batch: readonly Append[]) => Promise<void>

/** As long as the evidence of a decision. */
const evidence = 'x'.repeat(452)

const tables = [
  'CREATE TABLE floor_records (id text NOT NULL PRIMARY KEY, answer text NOT NULL, evidence text NOT NULL)',
  'CREATE TABLE floor_keys (key text NOT NULL PRIMARY KEY, id text NOT NULL)',
  'CREATE TABLE floor_queue (entries text NOT NULL)',
]

const entriesOf = (batch: readonly Append[]): string => batch.map(({ id }) => id).join('\n')

/** Runs in a thread of its own, so that a flush blocks no request. */
function writeInThread(path: string): void {
  const database = new DatabaseSync(path)
  for (const setting of ['journal_mode=WAL', 'synchronous=FULL']) database.exec(`PRAGMA ${setting}`)
  for (const sql of tables) database.exec(sql)
  const record = database.prepare('INSERT INTO floor_records VALUES (?, ?, ?)')
  const key = database.prepare('INSERT INTO floor_keys VALUES (?, ?)')
  const queue = database.prepare('INSERT INTO floor_queue VALUES (?)')
  parentPort?.on('message', (batch: readonly Append[]) => {
    database.exec('BEGIN IMMEDIATE')
    for (const one of batch) {
      record.run(one.id, one.answer, evidence)
      if (one.key !== null) key.run(one.key, one.id)
    }
    queue.run(entriesOf(batch))
    database.exec('COMMIT')
    parentPort?.postMessage(null, [])
  })
}

function openSqlite(path: string): WriteBatch {
  const writer = new Worker(new URL(import.meta.url), { workerData: { path } })
  let resolveBatch = (): void => {}
  writer.on('message', () => resolveBatch())
  return (batch) =>
    new Promise((resolve) => {
      resolveBatch = resolve
      writer.postMessage(batch, [])
    })
}

const appendSql = `WITH r AS (INSERT INTO floor_records SELECT * FROM unnest($1::text[], $2::text[], $3::text[])),
  k AS (INSERT INTO floor_keys SELECT * FROM unnest($4::text[], $5::text[]))
  INSERT INTO floor_queue VALUES ($6)`

async function openPostgres(url: string): Promise<WriteBatch> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const sql of tables) await client.query(sql)
  return async (batch) => {
    const keyed = batch.filter(({ key }) => key !== null)
    await client.query({
      name: 'append',
      text: appendSql,
      values: [
        batch.map(({ id }) => id),
        batch.map(({ answer }) => answer),
        batch.map(() => evidence),
        keyed.map(({ key }) => key),
        keyed.map(({ id }) => id),
        entriesOf(batch),
      ],
    })
  }
}

/** Appends that arrive while a batch is written form the next one. */
function createAppender(write: WriteBatch): (append: Append) => Promise<void> {
  let waiting: { readonly append: Append; readonly resolve: () => void }[] = []
  let isWriting = false
  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await write(batch.map(({ append }) => append))
      for (const { resolve } of batch) resolve()
    }
    isWriting = false
  }
  return (append) =>
    new Promise((resolve) => {
      waiting.push({ append, resolve })
      if (isWriting) return
      isWriting = true
      setImmediate(() => void flush())
    })
}

async function serve(
  engine: string,
  target: string,
  answer: Readonly<Record<string, unknown>>,
): Promise<void> {
  const append = createAppender(engine === 'sqlite' ? openSqlite(target) : await openPostgres(target))
  let requests = 0
  const app = Fastify({
    loggerInstance: createLogger({ logLevel: 'info', logFormat: 'json' }),
    logController: new LogController({ disableRequestLogging: true }),
  })
  app.setValidatorCompiler(TypeBoxValidatorCompiler)
  app.route({
    method: 'POST',
    url: '/api/v1/verify',
    schema: { querystring: VerifyQuery, body: VerifyBody },
    async handler(request, reply) {
      const id = `SVC-${String((requests += 1)).padStart(26, '0')}`
      const text = JSON.stringify({ ...answer, request_id: id })
      await append({ id, key: request.headers['idempotency-key']?.toString() ?? null, answer: text })
      return reply.type('application/json; charset=utf-8').send(text)
    },
  })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  process.stdout.write(`port ${port}\n`)
  process.once('SIGTERM', () => process.exit(0))
}

if (isMainThread) {
  const [engine = '', target = '', answer = 'null'] = process.argv.slice(2)
  if (answer === 'null') throw new Error('usage: node bench/harness/floor.ts ENGINE TARGET ANSWER_JSON')
  await serve(engine, target, JSON.parse(answer) as Readonly<Record<string, unknown>>)
} else {
  writeInThread((workerData as { readonly path: string }).path)
}
