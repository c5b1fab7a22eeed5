/** The key that somebody trusts, as it is given on the command line. */

import { readVerifierKey, type Verifier } from '../../app/log/checkpoint.ts'
import { CommandFailure } from '../deps.ts'

export function verifierOf(text: string): Verifier {
  const verifier = readVerifierKey(text.trim())
  if (verifier === null) throw new CommandFailure('--trust must be a verifier key, NAME+HASH+KEY')
  return verifier
}
