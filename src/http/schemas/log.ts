/** Schemas of the log's proofs and checkpoints. */

import { Type } from 'typebox'
import { named, nullable, Timestamp } from './common.ts'

const Hash = Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$', description: 'SHA-256 in base64.' })

const Checkpoint = named(
  'Checkpoint',
  Type.Object(
    {
      origin: Type.String({ description: 'The name of this log.' }),
      tree_size: Type.Integer({ minimum: 0, description: 'Number of leaves in the log.' }),
      root_hash: Hash,
      made_at: Timestamp,
      note: Type.String({
        description:
          'The exact signed note (c2sp.org/tlog-checkpoint). Store it: it reveals later changes to records.',
      }),
      verifier_key: nullable(
        Type.String({
          description: 'The public key of the note (c2sp.org/signed-note). Store it outside the service.',
        }),
      ),
    },
    { description: 'The size and root hash of the log, signed with Ed25519.' },
  ),
)

const Leaf = named(
  'ProvenLeaf',
  Type.Object({
    leaf_index: Type.Integer({ minimum: 0 }),
    leaf_hash: Hash,
    leaf: Type.String({ description: 'The text whose RFC 6962 leaf hash is `leaf_hash`.' }),
    inclusion_path: Type.Array(Hash, { description: 'From the leaf to the root: PATH in RFC 6962.' }),
  }),
)

const proof = {
  status: Type.Enum(['sealed', 'pending'], {
    description: '`pending`: recorded, but not sealed yet. Retry after a few seconds.',
  }),
  record: nullable(Leaf),
  override: nullable(Leaf),
  outcome: nullable(Leaf),
  checkpoint: nullable(Checkpoint),
}

/** The proof in an audit export. */
export const HeldProof = named('HeldProof', Type.Object(proof))

export const AuditProof = named(
  'AuditProof',
  Type.Object(
    { request_id: Type.String(), ...proof },
    {
      description:
        'Proves that the record, its override and its outcome are in the log that the checkpoint signs.',
    },
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
          description:
            'Proves that the log with `from_size` leaves is a prefix of this one: PROOF in RFC 6962.',
        },
      ),
    ),
  }),
)
