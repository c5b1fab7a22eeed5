/** The file with a user's server URL and API key: readable by its owner only, written atomically. */

import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, mkdir, open, realpath, rename, rm, type FileHandle } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { FileFault } from '../app/ports/assess.ts'
import { faultOf, writePrivate } from './files.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The platform's location for user settings. Relative paths in the environment are ignored, as the XDG specification
 * requires. Null if there is no home folder, as for many service users.
 */
export function settingsPath(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): string | null {
  const { XDG_CONFIG_HOME: xdg = '', APPDATA: appData = '' } = environment
  if (platform === 'win32' && appData !== '') return join(appData, 'fairway', 'config.json')
  if (isAbsolute(xdg)) return join(xdg, 'fairway', 'config.json')
  const home = homeFolder()
  return isAbsolute(home) ? join(home, '.config', 'fairway', 'config.json') : null
}

function homeFolder(): string {
  try {
    return homedir()
  } catch {
    // The user has no entry in the system's user database.
    return ''
  }
}

/** All permissions of the group and of others. */
const othersMask = 0o077
/** Ample for two short members. */
const bytesMax = 16 * 1024

/** Windows protects user folders by access control lists. */
const hasModes = process.platform !== 'win32'

const noHomeMessage =
  'no home folder for the settings file: set XDG_CONFIG_HOME, or use FAIRWAY_URL and FAIRWAY_API_KEY'

/** Used without a home folder: reads find nothing, writes fail. */
function noSettingsFile() {
  const refuse = async (): Promise<never> => {
    throw new FileFault(noHomeMessage)
  }
  return {
    path: 'a settings file',
    read: async () => ({ kind: 'absent' as const }),
    write: refuse,
    remove: async () => undefined,
  }
}

export function openSettingsFile(path: string | null) {
  if (path === null) return noSettingsFile()
  return {
    path,
    async read() {
      let handle: FileHandle | null = null
      try {
        handle = await open(path, constants.O_RDONLY)
        const { mode } = await handle.stat()
        if (hasModes && (mode & othersMask) !== 0) return { kind: 'open_to_others' as const }
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytesMax), 0, bytesMax, 0)
        return { kind: 'read' as const, text: buffer.toString('utf8', 0, bytesRead) }
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
          return { kind: 'absent' as const }
        throw faultOf(`cannot read ${path}`, error)
      } finally {
        await handle?.close()
      }
    },
    async write(text: string) {
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        // Write through a symbolic link instead of replacing it.
        const target = await realpath(path).catch(() => path)
        await replacePrivate(target, text)
      } catch (error) {
        throw faultOf(`cannot write ${path}`, error)
      }
    },
    async remove() {
      await rm(path, { force: true }).catch((error: unknown) => {
        throw faultOf(`cannot remove ${path}`, error)
      })
    },
  }
}

async function replacePrivate(target: string, text: string): Promise<void> {
  const part = `${target}.${randomUUID()}.part`
  try {
    await writePrivate(part, text)
    if (hasModes) await chmod(part, 0o600)
    await rename(part, target)
  } finally {
    await rm(part, { force: true })
  }
}
