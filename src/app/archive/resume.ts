/** Resumes an interrupted export, on files that the same command of the same installation wrote, and on no others. */

import type { Signing } from '../log/installation-key.ts'
import {
  isOwnManifest,
  manifestName,
  progressFault,
  progressName,
  readProgress,
  scopeText,
  type ArchiveScope,
  type Progress,
} from './manifest.ts'
import type { OwnFiles } from './own-files.ts'

/** The export cannot be made. The message says why and what to do. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused'
}

/** Null for an empty folder. A folder with anything else in it is refused, and nothing in it is changed. */
export async function resumeProgress(
  files: OwnFiles,
  scope: ArchiveScope,
  signing: Signing,
): Promise<Progress | null> {
  const { folder } = files
  const names = new Set(await folder.names())
  const isUnfinished = names.has(progressName)
  if (!isUnfinished && names.has(manifestName))
    throw new ArchiveRefused(`${folder.path} holds a finished archive: choose another folder`)
  const progress = isUnfinished ? await ownProgress(files, scope, signing) : null
  const parts = progress?.parts.flatMap((part) => [part.file, part.leaves_file]) ?? []
  const known = new Set(progress === null ? [] : [progressName, manifestName, ...parts])
  const foreign = [...names].find((name) => !known.has(name) && !files.isTemporary(name))
  if (foreign !== undefined)
    throw new ArchiveRefused(
      `${folder.path} holds ${JSON.stringify(foreign)}, which this export did not write: move it away, or choose another folder`,
    )
  if (progress === null) return null
  if (names.has(manifestName)) await expectOwnManifest(files, progress, signing)
  await expectOwnParts(files, progress, names)
  return progress
}

async function ownProgress({ folder }: OwnFiles, scope: ArchiveScope, signing: Signing): Promise<Progress> {
  const { progress, signature } = readProgress((await folder.readText(progressName)) ?? '')
  const isSame = (Object.keys(scope) as (keyof ArchiveScope)[]).every(
    (name) => String(progress[name]) === String(scope[name]),
  )
  if (!isSame)
    throw new ArchiveRefused(
      `${folder.path} holds another export, of ${scopeText(progress)}: choose another folder, or repeat that command to complete it`,
    )
  const fault = progressFault(progress, signature, signing)
  if (fault !== null)
    throw new ArchiveRefused(
      `${progressName} in ${folder.path} was changed, or is of another installation: its signature ${fault}. Choose another folder`,
    )
  return progress
}

/** The last step but one was done: nothing is left but to remove the progress. */
async function expectOwnManifest({ folder }: OwnFiles, progress: Progress, signing: Signing): Promise<void> {
  const text = await folder.readText(manifestName)
  if (text === null || !isOwnManifest(text, progress, signing))
    throw new ArchiveRefused(
      `${folder.path} holds a ${manifestName} that this export did not write: choose another folder`,
    )
}

async function expectOwnParts(
  files: OwnFiles,
  { parts }: Progress,
  names: ReadonlySet<string>,
): Promise<void> {
  for (const part of parts) {
    for (const [name, sha256] of [
      [part.file, part.sha256],
      [part.leaves_file, part.leaves_sha256],
    ] as const) {
      const state = await files.stateOf(name, sha256, names)
      if (state === 'changed' || state === 'missing')
        throw new ArchiveRefused(
          `${name} in ${files.folder.path} is ${state === 'missing' ? state : 'not as this export wrote it'}: choose another folder`,
        )
    }
  }
}
