/** Reviews are held against their sealed changes, their decisions and their overrides. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withReviews, type Made, type Scene } from './review-scene.ts'

/** The id of the change of this kind. */
const changeOf = (reviewId: string, kind: string): string =>
  `(SELECT change_id FROM review_changes WHERE review_id = '${reviewId}' AND kind = '${kind}')`

const sealedChange = /^leaf \d+, rvc_\w+: the review was changed after it was sealed$/
const missingChange = /^leaf \d+, rvc_\w+: the sealed record, override, outcome, act or change .* is missing$/

type Attack = (made: Made) => readonly [sql: string, found: RegExp | string]

/** The row of a review says something else than its sealed changes or its decision. */
const rowAttacks: Readonly<Record<string, Attack>> = {
  'a status': ({ proposed }) => [
    `UPDATE reviews SET status = 'expired' WHERE review_id = '${proposed}'`,
    `review ${proposed}: has another status than its changes give it`,
  ],
  'an expired review that is open again': ({ expired }) => [
    `UPDATE reviews SET status = 'open', closed_at_ms = NULL WHERE review_id = '${expired}'`,
    `review ${expired}: has another status than its changes give it`,
  ],
  'an amount below the limit of four eyes': ({ proposed }) => [
    `UPDATE reviews SET amount = 1 WHERE review_id = '${proposed}'`,
    `review ${proposed}: is of another payment than its decision`,
  ],
  'a currency': ({ proposed }) => [
    `UPDATE reviews SET currency = 'NGN' WHERE review_id = '${proposed}'`,
    `review ${proposed}: is of another payment than its decision`,
  ],
  'a corridor': ({ commented }) => [
    `UPDATE reviews SET corridor = 'GB-NG' WHERE review_id = '${commented}'`,
    `review ${commented}: is of another payment than its decision`,
  ],
  'a decision': ({ commented }) => [
    `UPDATE reviews SET decision = 'NO-GO' WHERE review_id = '${commented}'`,
    `review ${commented}: is of another payment than its decision`,
  ],
  'a due time': ({ commented }) => [
    `UPDATE reviews SET due_at_ms = due_at_ms + 1 WHERE review_id = '${commented}'`,
    `review ${commented}: is due or expires at another time than it was opened with`,
  ],
  'a time of expiry': ({ proposed }) => [
    `UPDATE reviews SET expires_at_ms = expires_at_ms + 1 WHERE review_id = '${proposed}'`,
    `review ${proposed}: is due or expires at another time than it was opened with`,
  ],
  'a mode': ({ commented }) => [
    `UPDATE reviews SET mode = 'live' WHERE review_id = '${commented}'`,
    `review ${commented}: is of another payment than its decision`,
  ],
  'a claim': ({ proposed }) => [
    `UPDATE reviews SET claimed_by = '' WHERE review_id = '${proposed}'`,
    `review ${proposed}: has another claim or number of changes than its changes give it`,
  ],
  'a number of changes, so that nobody can act': ({ proposed }) => [
    `UPDATE reviews SET version = version + 1 WHERE review_id = '${proposed}'`,
    `review ${proposed}: has another claim or number of changes than its changes give it`,
  ],
  'an end, so that it never expires': ({ proposed }) => [
    `UPDATE reviews SET closed_at_ms = 1 WHERE review_id = '${proposed}'`,
    `review ${proposed}: has another claim or number of changes than its changes give it`,
  ],
  'no end, so that it expires once more': ({ approved }) => [
    `UPDATE reviews SET closed_at_ms = NULL WHERE review_id = '${approved}'`,
    `review ${approved}: has another claim or number of changes than its changes give it`,
  ],
  'a row removed': ({ proposed }) => [
    `DELETE FROM reviews WHERE review_id = '${proposed}'`,
    `review ${proposed}: is missing, but the log has changes of it`,
  ],
  'an owner': ({ commented }) => [
    `UPDATE reviews SET owner_id = 'own_other' WHERE review_id = '${commented}'`,
    `review ${commented}: lacks a change, or has one of another review`,
  ],
  'a request': ({ commented, proposed }) => [
    `UPDATE reviews SET request_id = (SELECT request_id FROM original_reviews WHERE review_id = '${proposed}')
      WHERE review_id = '${commented}'`,
    `review ${commented}: lacks a change, or has one of another review`,
  ],
  'an id': ({ commented }) => [
    `UPDATE reviews SET review_id = 'rev_planted' WHERE review_id = '${commented}'`,
    'review rev_planted: lacks a change, or has one of another review',
  ],
}

/** Changes and their texts are sealed. */
const changeAttacks: Readonly<Record<string, Attack>> = {
  'the text of a comment': ({ commented }) => [
    `UPDATE personal_texts SET personal_text = 'It is known.' WHERE subject_id = ${changeOf(commented, 'commented')}`,
    /: the personal text of the review was changed after it was sealed$/,
  ],
  'a comment without its text': ({ commented }) => [
    `DELETE FROM personal_texts WHERE subject_id = ${changeOf(commented, 'commented')}`,
    /: the personal text of the review is missing$/,
  ],
  'a text where there was none': ({ commented }) => [
    `UPDATE personal_texts SET subject_id = ${changeOf(commented, 'claimed')}
      WHERE subject_id = ${changeOf(commented, 'commented')}`,
    /: the personal text of the review was added after it was sealed$/,
  ],
  'the justification of a proposal': ({ proposed }) => [
    `UPDATE personal_texts SET personal_text = 'x' WHERE subject_id = ${changeOf(proposed, 'proposed')}`,
    /: the personal text of the review was changed after it was sealed$/,
  ],
  'another approver': ({ approved }) => [
    `UPDATE review_changes SET principal_id = 'key_other' WHERE change_id = ${changeOf(approved, 'approved')}`,
    sealedChange,
  ],
  'another key': ({ approved }) => [
    `UPDATE review_changes SET key_id = 'key_other' WHERE change_id = ${changeOf(approved, 'approved')}`,
    sealedChange,
  ],
  'a person in place of a key': ({ approved }) => [
    `UPDATE review_changes SET person_id = 'prs_other' WHERE change_id = ${changeOf(approved, 'approved')}`,
    sealedChange,
  ],
  'another proposed action': ({ approved }) => [
    `UPDATE review_changes SET action = 'REJECT' WHERE change_id = ${changeOf(approved, 'proposed')}`,
    sealedChange,
  ],
  'another reason code': ({ approved }) => [
    `UPDATE review_changes SET reason_code = 'OTHER' WHERE change_id = ${changeOf(approved, 'proposed')}`,
    sealedChange,
  ],
  'another kind': ({ rejected }) => [
    `UPDATE review_changes SET kind = 'approved' WHERE change_id = ${changeOf(rejected, 'rejected')}`,
    sealedChange,
  ],
  'another time': ({ approved }) => [
    `UPDATE review_changes SET at_ms = at_ms - 1 WHERE change_id = ${changeOf(approved, 'approved')}`,
    sealedChange,
  ],
  'another expiry, in the row and in the opening': ({ proposed }) => [
    `UPDATE review_changes SET expires_at_ms = expires_at_ms + 1 WHERE change_id = ${changeOf(proposed, 'opened')}`,
    sealedChange,
  ],
  'an approval of another proposal': ({ approved, proposed }) => [
    `UPDATE review_changes SET proposal_id = ${changeOf(proposed, 'proposed').replace('review_changes', 'original_review_changes')}
      WHERE change_id = ${changeOf(approved, 'approved').replace('review_changes', 'original_review_changes')}`,
    sealedChange,
  ],
  'an approval without the name of its override': ({ approved }) => [
    `UPDATE review_changes SET override_id = NULL WHERE change_id = ${changeOf(approved, 'approved').replace('review_changes', 'original_review_changes')}`,
    sealedChange,
  ],
  'a change in the middle removed': ({ commented }) => [
    `DELETE FROM review_changes WHERE review_id = '${commented}' AND number = 2`,
    missingChange,
  ],
  'the last change removed': ({ approved }) => [
    `DELETE FROM review_changes WHERE review_id = '${approved}' AND kind = 'approved'`,
    missingChange,
  ],
  'all changes removed': ({ expired }) => [
    `DELETE FROM review_changes WHERE review_id = '${expired}'`,
    `review ${expired}: lacks a change, or has one of another review`,
  ],
  'a change of another review': ({ commented, proposed }) => [
    `UPDATE review_changes SET review_id = '${proposed}', number = 9 WHERE review_id = '${commented}' AND kind = 'commented'`,
    `review ${proposed}: lacks a change, or has one of another review`,
  ],
}

/** The override of an approval is sealed on its own, with both names. */
const overrideAttacks: Readonly<Record<string, Attack>> = {
  'an approval whose override is missing': ({ approved }) => [
    `DELETE FROM overrides WHERE review_id = '${approved}'`,
    /^leaf \d+, ovr_\w+: the sealed record, override, outcome, act or change of a review is missing$/,
  ],
  'an override without its approval': ({ approved }) => [
    `UPDATE overrides SET review_id = NULL, approved_key_id = NULL, approved_person_id = NULL,
      approved_principal_id = NULL WHERE review_id = '${approved}'`,
    /^leaf \d+, ovr_\w+: the override was changed after it was sealed$/,
  ],
  'an override approved by another principal': ({ approved }) => [
    `UPDATE overrides SET approved_principal_id = 'key_other' WHERE review_id = '${approved}'`,
    /^leaf \d+, ovr_\w+: the override was changed after it was sealed$/,
  ],
  'an override of another review': ({ approved, proposed }) => [
    `UPDATE overrides SET review_id = '${proposed}' WHERE review_id = '${approved}'`,
    /^leaf \d+, ovr_\w+: the override was changed after it was sealed$/,
  ],
  'an approval where there was none': ({ approved }) => [
    `UPDATE overrides SET review_id = '${approved}', approved_key_id = 'key_x', approved_principal_id = 'key_x'
      WHERE review_id IS NULL`,
    /^leaf \d+, ovr_\w+: the override was changed after it was sealed$/,
  ],
}

async function checkAttacks(attacks: Readonly<Record<string, Attack>>, scene: Scene): Promise<void> {
  const { made, run, findings, restore } = scene
  for (const [what, attack] of Object.entries(attacks)) {
    const [sql, expected] = attack(made)
    await run(sql)
    const found = await findings()
    const isFound = found.some((one) =>
      typeof expected === 'string' ? one === expected : expected.test(one),
    )
    assert.ok(isFound, `${what}: ${JSON.stringify(found)}`)
    await restore()
  }
  assert.deepEqual(await findings(), [], 'restored')
}

for (const engine of engines) {
  test(`${engine}: a row of a review that does not agree with its changes or its decision is found and named`, async () => {
    await withReviews(engine, (scene) => checkAttacks(rowAttacks, scene))
  })

  test(`${engine}: a changed or missing change of a review is found, its texts included`, async () => {
    await withReviews(engine, (scene) => checkAttacks(changeAttacks, scene))
  })

  test(`${engine}: an override whose approval was changed, added or removed is found`, async () => {
    await withReviews(engine, (scene) => checkAttacks(overrideAttacks, scene))
  })
}
