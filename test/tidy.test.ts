/** The house rules that a machine can check. One process runs them all: the compiler's parser is slow to start. */

/* eslint-disable import/no-unassigned-import -- each file registers its tests and exports nothing */
import './tidy/imports.ts'
import './tidy/sources.ts'
import './tidy/documents.ts'
