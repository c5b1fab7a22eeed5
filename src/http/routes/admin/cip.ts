/** /api/v1/admin/cip: the stages of the Corridor Intelligence Platform, and their formal changes. */

import { recordTransition, standingOf } from '../../../app/cip/status.ts'
import { platformView, transitionView } from '../../../app/cip/views.ts'
import { namesOf } from '../../../app/operate/activity.ts'
import type { LiveSource } from '../../../app/ports/signals.ts'
import { cipStages, stageRules } from '../../../core/live/cip.ts'
import { invalid, sendProblem } from '../../errors.ts'
import { response } from '../../schemas/common.ts'
import type { App } from '../../types.ts'
import { adminOf, adminPath, common, config, errorsOfAction, errorsOfList, type AdminDeps } from './common.ts'
import { AdminCip, RecordedTransition, TransitionBody } from './maintenance-schemas.ts'

export interface CipRoutesDeps extends AdminDeps {
  readonly live: LiveSource
  readonly setup: { readonly probeEveryMs: number }
}

const path = `${adminPath}/cip`

export function registerAdminCip(app: App, deps: CipRoutesDeps): void {
  registerStatus(app, deps)
  registerTransition(app, deps)
}

const stages = cipStages.map((stage) => {
  const { least, most } = stageRules[stage].blendPercent
  return { stage, blend_weight_min: least / 100, blend_weight_max: most / 100 }
})

function registerStatus(app: App, { store, live, setup, clock }: CipRoutesDeps): void {
  app.route({
    method: 'GET',
    url: path,
    config,
    schema: {
      ...common,
      operationId: 'adminCip',
      summary: 'Show the stage of the platform, the quality gate and all transitions',
      response: { 200: response(AdminCip, 'limited'), ...errorsOfList },
    },
    async handler() {
      const scope = live.scope()
      const state = await store.cip.state(scope)
      const view = platformView(state, scope, setup.probeEveryMs > 0, clock.nowMs())
      const names = await namesOf(
        store,
        state.transitions.map(({ madeBy }) => madeBy),
      )
      return {
        ...view,
        stage: standingOf(state).stage,
        stages,
        transitions: view.transitions.map((transition) => ({
          ...transition,
          made_by_name: names.get(transition.made_by) ?? transition.made_by,
        })),
      }
    },
  })
}

/** A weight has two decimals at most; null for one that has more. */
function percentOf(share: number): number | null {
  const percent = Math.round(share * 100)
  return Math.abs(percent - share * 100) < 1e-9 ? percent : null
}

function registerTransition(app: App, deps: CipRoutesDeps): void {
  app.route({
    method: 'POST',
    url: `${path}/transitions`,
    config,
    schema: {
      ...common,
      operationId: 'transitionCip',
      summary: 'Change the stage of the platform',
      description:
        'Recorded permanently. A step forward needs the quality gate; a step back is always allowed. What is refused is a 409 with the reason.',
      body: TransitionBody,
      response: { 200: response(RecordedTransition, 'limited'), ...errorsOfAction },
    },
    async handler(request, reply) {
      const { to, blend_weight: share, reference, reason } = request.body
      const blendPercent = share === undefined ? null : percentOf(share)
      if (share !== undefined && blendPercent === null)
        return sendProblem(
          reply,
          invalid([{ path: '/blend_weight', message: 'must have two decimals at most' }]),
        )
      const { personId, describe } = adminOf(request, deps)
      const outcome = await recordTransition(
        { cip: deps.store.cip, clock: deps.clock, describe },
        {
          scope: deps.live.scope(),
          to,
          blendPercent,
          reference,
          madeBy: personId,
          reason: reason?.trim() ?? null,
        },
      )
      if (outcome.kind === 'refused')
        return sendProblem(reply, { code: 'ADMIN_CONFLICT', message: `Refused: ${outcome.reason}.` })
      const names = await namesOf(deps.store, [personId])
      return reply.send({
        ...transitionView(outcome.transition),
        made_by_name: names.get(personId) ?? personId,
      })
    },
  })
}
