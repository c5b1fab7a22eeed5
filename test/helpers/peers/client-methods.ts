/** The names of all methods of the client, inherited ones included. */

import { FairwayClient } from '../../../client/src/index.ts'

export function clientMethods(): Set<string> {
  const names = new Set<string>()
  for (
    let from: object = FairwayClient.prototype;
    from !== Object.prototype;
    from = Object.getPrototypeOf(from) as object
  )
    for (const name of Object.getOwnPropertyNames(from)) names.add(name)
  names.delete('constructor')
  return names
}
