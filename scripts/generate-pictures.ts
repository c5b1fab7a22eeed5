/** Writes the pictures of the guide into `docs/images`. Run with `npm run generate`; a test checks that they are up to date. */

import { writeFileSync } from 'node:fs'
import { pictureFile } from './pictures/draw.ts'
import { pictures } from './pictures/pictures.ts'

const folder = new URL('../docs/images/', import.meta.url)

/** Each picture with its file. */
export const pictureFiles = pictures.map((picture) => ({
  file: new URL(`${picture.name}.svg`, folder),
  text: pictureFile(picture),
}))

if (import.meta.main) for (const { file, text } of pictureFiles) writeFileSync(file, text)
