/** Writes Parquet files with DuckDB, an optional package that is loaded only for this. */

import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { ToParquet } from '../../app/ports/operate/archive.ts'
import { faultOf } from '../files.ts'

/** DuckDB writes to disk beyond this. */
const memoryLimit = '512MB'

/** Null if the package is not installed. */
export async function openParquet(): Promise<ToParquet | null> {
  const duckdb = await import('@duckdb/node-api').catch(() => null)
  if (duckdb === null) return null
  return async (folder, { csv, parquet }, columns) => {
    const path = join(folder.path, parquet)
    const types = Object.entries(columns).map(([name, type]) => `'${name}': '${type}'`)
    // One thread keeps the order of the rows and makes equal files of equal rows.
    const instance = await duckdb.DuckDBInstance.create(':memory:', {
      memory_limit: memoryLimit,
      threads: '1',
    })
    try {
      const connection = await instance.connect()
      await connection.run(
        `COPY (SELECT * FROM read_csv(${quoted(join(folder.path, csv))}, header = true, auto_detect = false,
            delim = ',', quote = '"', escape = '"', nullstr = '', columns = {${types.join(', ')}}))
          TO ${quoted(path)} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)`,
      )
      connection.closeSync()
      await synced(path)
    } catch (error) {
      throw faultOf(`cannot write to ${folder.path}`, error)
    } finally {
      instance.closeSync()
    }
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
