/** A history to tamper with: decisions and overrides of a real service, sealed bit by bit. */

import { recordHash } from '../../src/app/log/leaf.ts'
import {
  readNote,
  signedNote,
  signerOf,
  type Checkpoint,
  type Verifier,
} from '../../src/app/log/checkpoint.ts'
import { Frontier } from '../../src/app/log/merkle.ts'
import { levelsApart } from '../../src/app/log/tree.ts'
import { verifyLog, type VerifiedLog } from '../../src/app/log/verify-log.ts'
import type { Harness } from '../../test/helpers/harness.ts'
import { changeLeaf, leavesOf, readLeaves } from './leaves.ts'
import type { Hands } from './tables.ts'

/** More leaves than the 256 of the first node that is kept. */
const sealings = 10
const decisionsASealing = 25

export async function makeHistory(harness: Harness): Promise<void> {
  const { key } = await harness.issue()
  for (let sealing = 0; sealing < sealings; sealing += 1) {
    for (let place = 0; place < decisionsASealing; place += 1) await decideOne(harness, key, place)
    harness.clock.advance(100_000)
    await harness.seal()
  }
}

/** Every sixth is overridden, some are blocked, some repeat a block. */
async function decideOne(harness: Harness, key: string, place: number): Promise<void> {
  const amount = place % 6 === 0 ? 60_000 : place % 11 === 5 ? 2_500.08 : place + 1
  const corridor = place % 2 === 0 ? 'GB-NG' : 'NG-GB'
  harness.clock.advance(5)
  const { body, status } = await harness.verify(key, {
    corridor,
    amount,
    ...(place % 3 === 0 ? { correlation_id: `payment-${place}` } : {}),
  })
  if (status !== 200) throw new Error(`a verification was answered ${status}`)
  if (place % 6 !== 0) return
  await harness.send({
    method: 'POST',
    url: '/api/v1/override',
    headers: { 'x-api-key': key },
    payload: {
      request_id: body.request_id,
      action: 'EXECUTE',
      reason_code: 'SEEN_BEFORE',
      justification: `The payee is known (${place}).`,
    },
  })
}

export interface Auditor {
  /** The newest checkpoint of the untouched log, as somebody kept it elsewhere. */
  readonly kept: Checkpoint
  readonly verify: (kept?: readonly Checkpoint[]) => Promise<VerifiedLog>
}

/** Knows the key of the log from before. */
export async function auditorOf({ store }: Harness): Promise<Auditor> {
  const { origin, note } = await store.log.head()
  const keys = await store.log.keys()
  const kept = note === null ? null : readNote(note)
  if (origin === null || kept === null) throw new Error('nothing is sealed')
  const verifiers: Verifier[] = keys.map(({ publicKey }) => ({
    origin,
    publicKey: Buffer.from(publicKey, 'base64'),
  }))
  return {
    kept,
    verify: (checkpoints = []) =>
      verifyLog({ store, verifiers, kept: checkpoints, isAway: () => false, onProgress: () => {} }),
  }
}

/** A record is edited, and its leaf made to fit: whoever does so cannot sign the root that follows of it. */
export async function coverUp({ store }: Harness, hands: Hands): Promise<string> {
  const { run, rows, chance } = hands
  const ids = new Set(rows.records.map((row) => row['request_id']))
  const leaf = chance.pick(rows.blocks.flatMap(leavesOf).filter(({ subjectId }) => ids.has(subjectId)))
  const { index, subjectId } = leaf
  await run('UPDATE verifications SET amount = 1234567 WHERE request_id = $1', subjectId)
  const [found] = await store.log.leaves(index, 1)
  if (found === undefined || found.record === null) throw new Error(`leaf ${index} has no record`)
  await changeLeaf(hands, leaf, { leafHash: recordHash(found.record) })
  return `the record of leaf ${index} edited and its leaf made to fit`
}

/** With the key that lies in the database beside the records: the whole tree is made anew over an edited record, and signed again. */
export async function rewrite(harness: Harness, hands: Hands): Promise<string> {
  const what = await coverUp(harness, hands)
  const { run, rows } = hands
  const [key] = await run('SELECT seed FROM log_keys WHERE seed IS NOT NULL')
  const signer = signerOf(Buffer.from(String(key?.['seed']), 'base64'))
  const notes = new Map(rows.checkpoints.map((row) => [Number(row['tree_size']), String(row['note'])]))
  const frontier = new Frontier([])
  for (const { leafHash } of await readLeaves(hands)) {
    for (const { level, index, hash } of frontier.append(leafHash)) {
      if (level % levelsApart !== 0) continue
      await run(
        'UPDATE log_nodes SET node_hash = $1 WHERE level = $2 AND node_index = $3',
        hash,
        level,
        index,
      )
    }
    const before = readNote(notes.get(frontier.size) ?? '')
    if (before === null) continue
    const note = signedNote({ ...before, root: frontier.root }, signer)
    await run('UPDATE log_checkpoints SET note = $1 WHERE tree_size = $2', note, frontier.size)
  }
  return `${what}, and all after it signed again`
}

/** The log ends at an earlier checkpoint, and all that came after it is gone: records, leaves, nodes, checkpoints. */
export async function cutOff({ run, rows, chance }: Hands): Promise<number> {
  const sizes = rows.checkpoints.map((row) => Number(row['tree_size'])).filter((size) => size > 0)
  const size = chance.pick(sizes.slice(0, -1))
  for (const { index, subjectId } of rows.blocks.flatMap(leavesOf)) {
    if (index < size) continue
    await run('DELETE FROM verifications WHERE request_id = $1', subjectId)
    await run('DELETE FROM overrides WHERE override_id = $1', subjectId)
  }
  // What is sealed at once has blocks of its own.
  await run('DELETE FROM log_blocks WHERE first_leaf >= $1', size)
  await run('DELETE FROM log_checkpoints WHERE tree_size > $1', size)
  if (size < 256) await run('DELETE FROM log_nodes')
  await run('UPDATE log_head SET tree_size = $1', size)
  return size
}
