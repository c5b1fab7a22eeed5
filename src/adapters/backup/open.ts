/** Opens backup and restore for the database at a URL. */

import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync } from 'node:fs'
import { link, mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { FileFault } from '../../app/ports/assess.ts'
import type { Backups } from '../../app/ports/operate/backup.ts'
import { loadBackup } from './load.ts'
import { readingPostgres, writingPostgres } from './postgres-session.ts'
import { readingSqlite, writingSqlite } from './sqlite-session.ts'
import { writeBackup, type WriteDeps } from './write.ts'

export function openBackups(databaseUrl: string, deps: WriteDeps): Backups {
  const file = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : null
  return {
    async write(path, options) {
      if (existsSync(path)) throw new FileFault(`${path} already exists`)
      return file === null
        ? readingPostgres(databaseUrl, (session) => writeBackup(session, path, options, deps))
        : readingSqlite(file, (session) => writeBackup(session, path, options, deps))
    },
    restore: (path, options) =>
      file === null
        ? writingPostgres(databaseUrl, (session) => loadBackup(session, path, options, deps))
        : intoFile(file, (part) =>
            writingSqlite(part, (session) => loadBackup(session, path, options, deps)),
          ),
  }
}

/** Works on a temporary file, which gets its name when it is complete and checked. */
async function intoFile<Result>(target: string, work: (part: string) => Promise<Result>): Promise<Result> {
  for (const name of [target, `${target}-wal`, `${target}-journal`]) {
    if (existsSync(name)) throw new FileFault(`${name} already exists: restore into a new file`)
  }
  await mkdir(dirname(target), { recursive: true })
  const part = `${target}.${randomUUID()}.part`
  try {
    closeSync(openSync(part, 'wx', 0o600))
    const result = await work(part)
    await link(part, target)
    return result
  } finally {
    await rm(part, { force: true })
    await rm(`${part}-journal`, { force: true })
  }
}
