/** Reports the settings of the calling organisation: features, roles, rate limits and usage. */

import { allowsScope, modeOfKeyType, type Mode, type Scope } from '../../core/identity/api-key.ts'
import { supportedCorridors } from '../../core/reference/corridor.ts'
import type { LiveCorridor } from '../../core/live/world.ts'
import type { RateLimit } from '../../core/time/rolling-window.ts'
import { signalNames } from '../../core/decision/signals.ts'
import { withinCooldown } from '../../core/time/cooldown.ts'
import { iso } from '../../core/time/durations.ts'
import { environmentOf } from '../verify/answer.ts'
import type { KeyRecord } from '../ports/identity/keys.ts'
import type { LiveSource } from '../ports/signals.ts'
import type { Store } from '../ports/store.ts'
import type { Clock } from '../ports/system.ts'

export interface OrganisationDeps {
  readonly store: Store
  readonly limits: Readonly<Record<'verify' | 'keyed' | 'batch', RateLimit>>
  readonly live: LiveSource
  readonly clock: Clock
  readonly setup: { readonly cooldownMs: number; readonly hasTestAmounts: boolean }
}

interface Role {
  readonly role: string
  readonly scope: Scope
  readonly description: string
}

/** One role per scope of a key. People have roles of their own: see `core/identity/roles.ts`. */
const roles: readonly Role[] = [
  {
    role: 'decision_requester',
    scope: 'decision:read',
    description: 'Verifies payments, and reads decisions, explanations, history and corridor health.',
  },
  { role: 'auditor', scope: 'audit:read', description: 'Reads audit records and exports their evidence.' },
  {
    role: 'compliance_officer',
    scope: 'override:create',
    description: 'Overrides a DEGRADED or NO-GO decision, with a justification.',
  },
  {
    role: 'webhook_manager',
    scope: 'webhook:manage',
    description: 'Registers and removes webhooks, and rotates their secrets.',
  },
  {
    role: 'outcome_reporter',
    scope: 'outcome:write',
    description: 'Reports how payments ended, from which live mode can compute its failure rate.',
  },
  { role: 'policy_reader', scope: 'policy:read', description: 'Reads policies and their versions.' },
  { role: 'policy_author', scope: 'policy:write', description: 'Proposes changes of policies.' },
  {
    role: 'policy_approver',
    scope: 'policy:approve',
    description: 'Approves the policy changes of others. Sandbox keys never have this scope.',
  },
  { role: 'review_reader', scope: 'review:read', description: 'Reads reviews and their history.' },
  {
    role: 'reviewer',
    scope: 'review:write',
    description: 'Claims reviews, comments on them and proposes.',
  },
  {
    role: 'review_approver',
    scope: 'review:approve',
    description: 'Approves what others proposed in reviews. Sandbox keys never have this scope.',
  },
]

export function createOrganisation({ store, limits, live, clock, setup }: OrganisationDeps) {
  async function openCooldowns(ownerId: string, mode: Mode) {
    const { cooldownMs } = setup
    const blocks = await store.forOwner(ownerId).blocksSince(mode, clock.nowMs() - cooldownMs)
    return blocks
      .filter(({ blockedAtMs }) => withinCooldown(blockedAtMs, clock.nowMs(), cooldownMs))
      .map(({ corridor, requestId, blockedAtMs }) => ({
        corridor: String(corridor),
        source_request_id: String(requestId),
        expires_at: iso(blockedAtMs + cooldownMs),
      }))
  }

  return async (key: KeyRecord) => {
    const may = (scope: Scope): boolean => allowsScope(key, scope)
    const mode = modeOfKeyType[key.type]
    const { corridors: declared } = live.current().world
    const permitted = mode === 'live' ? [...declared.keys()] : supportedCorridors
    return {
      organisation: key.ownerLabel,
      key: {
        key_id: key.keyId,
        type: key.type,
        environment: environmentOf[mode],
        created_at: iso(key.createdAtMs),
        expires_at: iso(key.expiresAtMs),
      },
      corridors: { permitted: permitted.map(String) },
      open_cooldowns: await openCooldowns(key.ownerId, mode),
      features: {
        verify: may('decision:read'),
        batch_assessment: may('decision:read'),
        partner_ranking: may('decision:read') && (mode === 'shadow' || hasPartners(declared.values())),
        decision_intelligence: may('decision:read'),
        outcomes: may('outcome:write'),
        audit: may('audit:read'),
        audit_export: may('audit:read'),
        overrides: may('override:create'),
        webhooks: may('webhook:manage'),
        test_amounts: setup.hasTestAmounts && mode === 'shadow' && may('decision:read'),
        live_mode:
          mode === 'live' && permitted.some((one) => live.signalsOf(one).length === signalNames.length),
      },
      audit_users: roles.map(({ role, scope, description }) => ({
        role,
        scope,
        description,
        granted: may(scope),
      })),
      rate_limits: {
        verify: limitWire(key.verifyLimit ?? limits.verify),
        batch: limitWire(limits.batch),
        other: limitWire(limits.keyed),
      },
      usage: { verifications_this_key: await store.keys.usage(key.keyId) },
    }
  }
}

const hasPartners = (corridors: Iterable<LiveCorridor>): boolean =>
  [...corridors].some(({ partners }) => partners.length > 1)

function limitWire({ count, windowMs }: RateLimit) {
  return { requests: count, window_seconds: windowMs / 1000 }
}
