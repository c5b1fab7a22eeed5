/** Proofs and checkpoints of the log, as callers see them. */

import { Type } from 'typebox'
import { named, nullable, Timestamp } from './common.ts'

const Hash = Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$', description: 'SHA-256 in base64.' })

const Checkpoint = named(
  'Checkpoint',
  Type.Object(
    {
      origin: Type.String({ description: 'The name of this log.' }),
      tree_size: Type.Integer({ minimum: 0, description: 'How many leaves the log has.' }),
      root_hash: Hash,
      made_at: Timestamp,
      note: Type.String({
        description:
          'The signed note (c2sp.org/tlog-checkpoint), to the letter. Keep it: it shows later whether the past was changed.',
      }),
      verifier_key: nullable(
        Type.String({
          description: 'The public key of the note (c2sp.org/signed-note). Keep it apart from the service.',
        }),
      ),
    },
    { description: 'What the log holds, signed with Ed25519.' },
  ),
)

const Leaf = named(
  'ProvenLeaf',
  Type.Object({
    leaf_index: Type.Integer({ minimum: 0 }),
    leaf_hash: Hash,
    leaf: Type.String({ description: 'The text of which `leaf_hash` is the leaf hash of RFC 6962.' }),
    inclusion_path: Type.Array(Hash, { description: 'From the leaf up: PATH of RFC 6962.' }),
  }),
)

const proof = {
  status: Type.Enum(['sealed', 'pending'], {
    description: '`pending`: recorded, and sealed within seconds. Ask again.',
  }),
  record: nullable(Leaf),
  override: nullable(Leaf),
  checkpoint: nullable(Checkpoint),
}

/** As an export holds it. */
export const HeldProof = named('HeldProof', Type.Object(proof))

export const AuditProof = named(
  'AuditProof',
  Type.Object(
    { request_id: Type.String(), ...proof },
    { description: 'That this record, and its override, are in the log that the checkpoint signs.' },
  ),
)

export const CheckpointAnswer = named(
  'CheckpointAnswer',
  Type.Object({
    checkpoint: nullable(Checkpoint),
    consistency: nullable(
      Type.Object(
        { from_size: Type.Integer({ minimum: 0 }), path: Type.Array(Hash) },
        {
          description: 'That the log of `from_size` leaves is the beginning of this one: PROOF of RFC 6962.',
        },
      ),
    ),
  }),
)
