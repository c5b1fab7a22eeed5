/** The short forms of the experiments on crashes and disks that fail. */

import { experiment as crashSqlite } from '../../torture/experiments/crash-sqlite.ts'
import { experiment as crashPostgres } from '../../torture/experiments/crash-postgres.ts'
import { experiment as fsync } from '../../torture/experiments/disk/fsync.ts'
import { experiment as failedFsync } from '../../torture/experiments/disk/failed-fsync.ts'
import { experiment as failedFsyncPostgres } from '../../torture/experiments/disk/failed-fsync-postgres.ts'
import { experiment as diskFull } from '../../torture/experiments/disk/disk-full.ts'
import { testShortForm } from '../helpers/short-form.ts'

testShortForm('crash-sqlite', crashSqlite)
testShortForm('crash-postgres', crashPostgres)
testShortForm('fsync', fsync)
testShortForm('failed-fsync', failedFsync)
testShortForm('failed-fsync-postgres', failedFsyncPostgres)
testShortForm('disk-full', diskFull)
