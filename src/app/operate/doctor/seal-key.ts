/** Check of the installation's key: there is one, it is readable, and it fits the log. */

import { counted } from '../../../core/explain/wording.ts'
import { findLost } from '../../events/stored-secrets.ts'
import { findFit, type KeyFit } from '../../log/installation-key.ts'
import type { DatabaseLook } from '../../ports/operate/doctor.ts'
import type { DoctorDeps, DoctorSettings } from './deps.ts'
import { fault, note, ok, warning, type Finding } from './findings.ts'

const bringBack = 'Bring back the key in FAIRWAY_SEAL_KEY or FAIRWAY_SEAL_KEY_FILE before the next start'

export async function sealKeyFindings(
  deps: DoctorDeps,
  settings: DoctorSettings,
  { store }: DatabaseLook,
): Promise<Finding[]> {
  const { sealKeys: keys, sealKeyFile: path } = settings
  const file = path === null ? null : deps.openKeyFile(path)
  let fit: KeyFit | null
  try {
    fit = await findFit({ ...deps, store, keys, file })
  } catch (error) {
    return [fault(deps.explain(error), 'Correct the key file: the server does not start with it as it is')]
  }
  if (fit === null) {
    const hasSigned = (await store.log.keys()).length > 0
    return hasSigned
      ? [fault('There is no key here, and another one has signed the log', bringBack)]
      : [note('There is no key yet: the first start makes one')]
  }
  const findings = [...fitFindings(fit), ...placeFindings(fit)]
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

function fitFindings({ signedBy, changedFrom, place }: KeyFit): Finding[] {
  if (signedBy === 'newest') return []
  if (signedBy === 'earlier')
    return [
      note(
        `The newest key in the ${place} signs from the next checkpoint on; an earlier one here signed the last`,
      ),
    ]
  return [
    fault(
      `The key in the ${place} has not signed the newest checkpoint of the log: ${changedFrom === 'unknown' ? 'no key of the log has' : `${changedFrom} has`}`,
      changedFrom === 'unknown'
        ? 'Run fairway audit verify-log: the log may have been changed'
        : `${bringBack}; otherwise another key signs from then on, and webhook secrets are lost`,
    ),
  ]
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
