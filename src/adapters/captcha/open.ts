/** The captcha that the settings ask for. */

import {
  openSiteverify,
  type OpenCaptcha,
  type SiteverifyOptions,
  type SiteverifySettings,
} from './siteverify.ts'

export interface CaptchaOptions extends Omit<SiteverifyOptions, 'settings'> {
  readonly settings: SiteverifySettings | null
}

/** Nobody is asked, and every request is marked so. */
const noCaptcha: OpenCaptcha = {
  check: () => Promise.resolve('not_checked'),
  close: () => Promise.resolve(),
}

export function openCaptcha({ settings, ...options }: CaptchaOptions): OpenCaptcha {
  return settings === null ? noCaptcha : openSiteverify({ settings, ...options })
}
