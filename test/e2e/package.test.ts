/** The package, and what deploys it, in one process: a release is built once for all of these files. */

/* eslint-disable import/no-unassigned-import -- each file registers its tests and exports nothing */
import './package/contents.ts'
import './package/image.ts'
import './package/installed.ts'
import './package/unit.ts'
import './package/upgrade.ts'
