/** The names of all methods of the client, inherited ones and those of `admin` included. */

import { FairwayClient } from '../../../client/src/index.ts'

export function clientMethods(): Set<string> {
  const { admin } = new FairwayClient({ baseUrl: 'http://localhost' })
  const ofAdmin = methodsOf(Object.getPrototypeOf(admin) as object)
  return new Set([...methodsOf(FairwayClient.prototype), ...ofAdmin.map((name) => `admin.${name}`)])
}

function methodsOf(prototype: object): string[] {
  const names: string[] = []
  for (let from = prototype; from !== Object.prototype; from = Object.getPrototypeOf(from) as object)
    names.push(...Object.getOwnPropertyNames(from))
  return names.filter((name) => name !== 'constructor')
}
