/** Creates a history to tamper with, and the attacks made of several changes: cover-up, rewrite and truncation. */

import { recordHash } from '../../src/app/log/leaf.ts'
import { readNote, signedNote, type Checkpoint, type Verifier } from '../../src/app/log/checkpoint.ts'
import { Frontier } from '../../src/app/log/merkle.ts'
import { storedLevelStep } from '../../src/app/log/tree.ts'
import { verifyLog, type VerifiedLog } from '../../src/app/log/verify-log.ts'
import type { Harness } from '../../test/helpers/harness.ts'
import { keyOf } from '../../test/helpers/installation-key.ts'
import { changeLeaf, leavesOf, readLeaves } from './leaves.ts'
import type { DirectAccess } from './tables.ts'

/** More leaves than the 256 of the first stored node. */
const sealings = 10
const decisionsPerSealing = 25

interface Keys {
  readonly key: string
  /** Another principal of the same owner. */
  readonly approver: string
}

export async function createHistory(harness: Harness): Promise<void> {
  const { key, record } = await harness.issue()
  const { key: approver } = await harness.issue({ ownerId: record.ownerId })
  for (let sealing = 0; sealing < sealings; sealing += 1) {
    for (let place = 0; place < decisionsPerSealing; place += 1)
      await decideOne(harness, { key, approver }, place)
    // Opens and closes reviews, so that each is sealed as a whole.
    await harness.get(key, '/api/v1/reviews')
    harness.clock.advance(100_000)
    await harness.seal()
  }
}

/** Every sixth decision is overridden, some of them in a review; some are blocked, some repeat a block. */
async function decideOne(harness: Harness, { key, approver }: Keys, place: number): Promise<void> {
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
  const stated = {
    action: 'EXECUTE',
    reason_code: 'SEEN_BEFORE',
    justification: `The payee is known (${place}).`,
  }
  const post = async (by: string, url: string, payload: object): Promise<void> => {
    const answer = await harness.send({ method: 'POST', url, headers: { 'x-api-key': by }, payload })
    if (answer.status !== 200) throw new Error(`${url} was answered ${answer.status}`)
  }
  const requestId = String(body.request_id)
  // A repeat has no review of its own.
  if (place % 12 === 0 || body.cooldown !== undefined)
    return post(key, '/api/v1/override', { ...stated, request_id: requestId })
  const review = `/api/v1/reviews/rev_${requestId.slice(-26).toLowerCase()}`
  await post(approver, `${review}/comment`, { text: `Who is the payee (${place})?` })
  await post(key, `${review}/propose`, stated)
  await post(approver, `${review}/approve`, { reason: 'As proposed.' })
}

export interface Auditor {
  /** The latest checkpoint of the original log, saved outside of the database. */
  readonly saved: Checkpoint
  readonly verify: (saved?: readonly Checkpoint[]) => Promise<VerifiedLog>
}

/** Creates an auditor that knows the log's public key beforehand. */
export async function auditorOf({ store }: Harness): Promise<Auditor> {
  const { origin, note } = await store.log.head()
  const keys = await store.log.keys()
  const saved = note === null ? null : readNote(note)
  if (origin === null || saved === null) throw new Error('nothing is sealed')
  const verifiers: Verifier[] = keys.map(({ publicKey }) => ({
    origin,
    publicKey: Buffer.from(publicKey, 'base64'),
  }))
  return {
    saved,
    verify: (checkpoints = []) =>
      verifyLog({
        store,
        verifiers,
        savedCheckpoints: checkpoints,
        isDetached: () => false,
        onProgress: () => {},
      }),
  }
}

/** Edits a record with its review, and updates its leaf. Without the key, the attacker cannot sign the resulting root. */
export async function coverUp({ store }: Harness, access: DirectAccess): Promise<string> {
  const { run, rows, rng } = access
  const ids = new Set(rows.records.map((row) => row['request_id']))
  const leaf = rng.pick(rows.blocks.flatMap(leavesOf).filter(({ subjectId }) => ids.has(subjectId)))
  const { index, subjectId } = leaf
  for (const table of ['verifications', 'reviews'])
    await run(`UPDATE ${table} SET amount = 1234567 WHERE request_id = $1`, subjectId)
  const [entry] = await store.log.leaves(index, 1)
  const subject = entry?.subjects[0]
  if (subject?.kind !== 'record') throw new Error(`leaf ${index} has no record`)
  await changeLeaf(access, leaf, { leafHash: recordHash(subject.value) })
  return `the record of leaf ${index} edited and its leaf updated`
}

/** Uses the installation's key to rebuild the complete tree over an edited record and sign it again. */
export async function rewrite(harness: Harness, access: DirectAccess): Promise<string> {
  const what = await coverUp(harness, access)
  const { run, rows } = access
  const { signer } = (await keyOf(harness.store, harness.clock)()).signing
  const notes = new Map(rows.checkpoints.map((row) => [Number(row['tree_size']), String(row['note'])]))
  const frontier = new Frontier([])
  for (const { leafHash } of await readLeaves(access)) {
    for (const { level, index, hash } of frontier.append(leafHash)) {
      if (level % storedLevelStep !== 0) continue
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
  return `${what}, and all later checkpoints signed again`
}

/** Truncates the log at an earlier checkpoint and deletes all later records, reviews, leaves, nodes and checkpoints. */
export async function truncateLog({ run, rows, rng }: DirectAccess): Promise<number> {
  const sizes = rows.checkpoints.map((row) => Number(row['tree_size'])).filter((size) => size > 0)
  const size = rng.pick(sizes.slice(0, -1))
  for (const { index, subjectId } of rows.blocks.flatMap(leavesOf)) {
    if (index < size) continue
    await run('DELETE FROM verifications WHERE request_id = $1', subjectId)
    await run('DELETE FROM overrides WHERE override_id = $1', subjectId)
    await run('DELETE FROM review_changes WHERE change_id = $1', subjectId)
  }
  await run('DELETE FROM reviews WHERE review_id NOT IN (SELECT review_id FROM review_changes)')
  // Each sealing writes its own blocks.
  await run('DELETE FROM log_blocks WHERE first_leaf >= $1', size)
  await run('DELETE FROM log_checkpoints WHERE tree_size > $1', size)
  if (size < 256) await run('DELETE FROM log_nodes')
  await run('UPDATE log_head SET tree_size = $1', size)
  return size
}
