/** The dependencies of the doctor's checks. */

import type { Captcha } from '../../ports/identity/access.ts'
import type { FeedSet } from '../../ports/feeds.ts'
import type { KeyFile } from '../../ports/log.ts'
import type { DatabaseLook, Machine } from '../../ports/operate/doctor.ts'
import type { After, Clock, Random } from '../../ports/system.ts'

/** The settings that the checks read. */
export interface DoctorSettings {
  readonly host: string
  readonly port: number
  readonly databaseUrl: string
  readonly sealKeys: readonly string[]
  readonly sealKeyFile: string
  readonly captcha: { readonly secret: string; readonly url: string; readonly scoreMin: number } | null
  readonly liveFeedsFile: string | null
  readonly archives: string | null
  readonly nats: object | null
  readonly telemetry: object | null
  readonly unknownSettings: readonly string[]
  readonly settings: readonly { readonly name: string; readonly source: string }[]
}

interface SettingFault {
  readonly setting: string
  readonly message: string
}

type OpenedFeeds =
  | { readonly kind: 'open'; readonly feeds: FeedSet & { close(): Promise<void> } }
  | { readonly kind: 'bad'; readonly findings: readonly string[] }

export interface DoctorDeps {
  readonly clock: Clock
  readonly random: Random
  readonly after: After
  readonly machine: Machine
  readonly settings: { readonly config: DoctorSettings | null; readonly faults: readonly SettingFault[] }
  /** The user of the operating system who runs the checks. */
  readonly user: string
  /** The file with the user's server address and API key. */
  readonly userSettingsFile: string
  /** Null if there is no such file. */
  lookAtDatabase(databaseUrl: string): Promise<DatabaseLook | null>
  openKeyFile(path: string): KeyFile
  openFeeds(path: string): Promise<OpenedFeeds>
  /** `onFailure` gets the cause when the service gives no verdict. */
  openCaptcha(
    settings: NonNullable<DoctorSettings['captcha']>,
    onFailure: (cause: string) => void,
  ): Promise<Captcha & { close(): Promise<void> }>
  /** Fails with one clear line if the optional packages are not installed. */
  checkPackages(of: 'nats' | 'telemetry'): Promise<void>
  /** One line, without secrets. */
  readonly explain: (error: unknown) => string
}
