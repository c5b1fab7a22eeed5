/** Check of the installation's key: there is one, it is readable, and it fits the log. */

import { counted } from '../../../core/explain/wording.ts'
import { findLost } from '../../events/stored-secrets.ts'
import { findFit, wayOut, type KeyFit } from '../../log/installation-key.ts'
import type { DatabaseLook } from '../../ports/operate/doctor.ts'
import type { DoctorDeps, DoctorSettings } from './deps.ts'
import { fault, note, ok, warning, type Finding } from './findings.ts'

const bringBack = 'Bring back the key in FAIRWAY_SEAL_KEY or FAIRWAY_SEAL_KEY_FILE before the next start'

const upperFirst = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

export async function sealKeyFindings(
  deps: DoctorDeps,
  settings: DoctorSettings,
  { store }: DatabaseLook,
): Promise<Finding[]> {
  const { sealKeys: keys, sealKeyFile: path } = settings
  const file = deps.openKeyFile(path)
  let found: Awaited<ReturnType<typeof findFit>>
  try {
    found = await findFit({ ...deps, store, keys, file })
  } catch (error) {
    return [fault(deps.explain(error), 'Correct the key file: the server does not start with it as it is')]
  }
  const { fit, refusal } = found
  if (fit === null) {
    return refusal === null
      ? [note('There is no key yet: the first start makes one')]
      : [fault(upperFirst(refusal), wayOut)]
  }
  const findings = [...fitFindings(fit, refusal), ...placeFindings(fit)]
  const lost = await findLost(store.endpoints, fit.box)
  if (lost.length > 0)
    findings.push(
      warning(
        `No key here opens the secrets of ${counted(lost.length, 'webhook endpoint')}`,
        `${bringBack}, or let their owners rotate the secrets: nothing is sent to them`,
      ),
    )
  if (findings.length > 0) return findings
  return [ok(`The key in the ${fit.place} fits the newest checkpoint of the log`)]
}

function fitFindings({ changedFrom, place }: KeyFit, refusal: string | null): Finding[] {
  if (refusal !== null) return [fault(upperFirst(refusal), wayOut)]
  if (changedFrom === null) return []
  if (changedFrom === 'unknown')
    return [
      fault(
        'No key of the log has signed its newest checkpoint',
        'Run fairway audit verify-log: the log may have been changed',
      ),
    ]
  return [note(`The key in the ${place} signs from the next checkpoint on; ${changedFrom} signed the last`)]
}

function placeFindings({ isStored }: KeyFit): Finding[] {
  return isStored
    ? [
        warning(
          'A signing key is in the database, so whoever reads the database can sign',
          'Move it out with fairway audit move-key',
        ),
      ]
    : []
}
