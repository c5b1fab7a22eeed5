/** Where a feed asks: its address, and connections of its own to it. */

import { openProvider, type Provider } from './client.ts'
import { compileTemplate, type UrlTemplate } from './template.ts'

export interface AddressSpec {
  readonly url: string
  readonly connections?: number
  readonly max_bytes?: number
}

/** The file was checked before: an address that is none is a bug. */
export function openAddress(
  spec: AddressSpec,
  defaults: { readonly connections: number; readonly bytesMax: number },
): { readonly template: UrlTemplate; readonly provider: Provider } {
  const template = compileTemplate(spec.url)
  if (typeof template === 'string') throw new Error(template)
  const provider = openProvider({
    origin: template.origin,
    connections: spec.connections ?? defaults.connections,
    bytesMax: spec.max_bytes ?? defaults.bytesMax,
  })
  return { template, provider }
}
