/** Opens the URL template of a feed and its own connection pool. */

import { openProvider, type Provider } from './client.ts'
import { compileTemplate, type UrlTemplate } from './template.ts'

export interface AddressSpec {
  readonly url: string
  readonly connections?: number
  readonly max_bytes?: number
}

/** The feeds file is validated earlier, so an invalid URL here is a bug. */
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
