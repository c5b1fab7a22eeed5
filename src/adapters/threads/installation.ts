/** Finds the program: a checkout, which runs its TypeScript, or an installed package, which has JavaScript. */

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The build of a package moves code between files, so the folder is found from any depth. */
function folderWith(place: string, folder = import.meta.dirname): string {
  return existsSync(join(folder, place)) ? folder : folderWith(place, dirname(folder))
}

export const programFolder = folderWith(join('bin', 'thread.js'))

export const isPackage = existsSync(join(programFolder, 'src', 'main.js'))

/** The file below `src` that starts a process or a thread. */
export const entryFile = (name: string): URL =>
  pathToFileURL(join(programFolder, 'src', `${name}${isPackage ? '.js' : '.ts'}`))
