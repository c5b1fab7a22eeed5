/** The faults of a database that a self-check finds, and what to do about each. */

import type { SelfCheck } from '../ports/store.ts'

export interface StoreFault {
  readonly found: string
  readonly action: string
}

/** A newer schema is that of a rolling upgrade, which has not come to this instance yet. */
export function otherSchema({ schema, schemaKnown }: Pick<SelfCheck, 'schema' | 'schemaKnown'>): StoreFault {
  return {
    found: `The database has schema ${schema}; this program expects ${schemaKnown}`,
    action:
      schema > schemaKnown
        ? 'A newer release runs on this database: upgrade this instance, too'
        : 'Start the newest release once to migrate it',
  }
}

export const notDurable: StoreFault = {
  found: 'The database does not wait for the disk: a crash could lose decisions',
  action: 'Turn on fsync and synchronous_commit in PostgreSQL',
}

export const notWriteOnce: StoreFault = {
  found: 'A trigger that protects records is missing in the database',
  action: 'Find out who removed it, and restore a backup beside it to compare',
}
