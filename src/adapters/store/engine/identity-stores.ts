/** Implements the ports of keys, access requests, people and their sessions. */

import type { AccessStore } from '../../../app/ports/identity/access.ts'
import type { KeyStore } from '../../../app/ports/identity/keys.ts'
import type { PeopleStore, SessionStore } from '../../../app/ports/identity/people.ts'
import * as access from '../admin/access.ts'
import * as keys from '../admin/keys.ts'
import * as people from '../admin/people.ts'
import * as sessions from '../admin/sessions.ts'
import type { Store } from '../../../app/ports/store.ts'
import type { Driver } from './driver.ts'

export function identityStores(
  driver: Driver,
  usage: KeyStore['usage'],
  appended: () => void,
): Pick<Store, 'keys' | 'access' | 'people' | 'sessions'> {
  return {
    keys: keysOf(driver, usage, appended),
    access: accessOf(driver, appended),
    people: peopleOf(driver, appended),
    sessions: sessionsOf(driver, appended),
  }
}

function keysOf(driver: Driver, usage: KeyStore['usage'], appended: () => void): KeyStore {
  const after = afterwards(appended)
  return {
    findByHash: (hash) => driver.read(() => keys.findByHash(hash)),
    find: (keyId) => driver.read(() => keys.find(keyId)),
    findOwner: (ownerId, nowMs) => driver.read(() => keys.findOwner(ownerId, nowMs)),
    owners: (request) => driver.read(() => keys.owners(request)),
    list: () => driver.read(() => keys.list()),
    page: (request) => driver.read(() => keys.page(request)),
    insert: (key, hash, act) => driver.change('insertKey', key, hash, act).then(after),
    revoke: (keyId, atMs, act) => driver.change('revokeKey', keyId, atMs, act).then(after),
    usage,
    recordUses: (uses) => driver.change('noteKeyUses', uses),
    replace: (oldKeyId, end, key, act) => driver.change('replaceKey', oldKeyId, end, key, act).then(after),
  }
}

/** A change with an act is followed at once. */
const afterwards =
  (appended: () => void) =>
  <Result>(result: Result): Result => {
    appended()
    return result
  }

function accessOf(driver: Driver, appended: () => void): AccessStore {
  return {
    submit: (request, key, quota) => driver.change('submitAccess', request, key, quota),
    find: (accessRequestId) => driver.read(() => access.find(accessRequestId)),
    list: (status) => driver.read(() => access.list(status)),
    page: (request) => driver.read(() => access.page(request)),
    decide: (accessRequestId, settlement, act) =>
      driver.change('decideAccess', accessRequestId, settlement, act).then(afterwards(appended)),
  }
}

function peopleOf(driver: Driver, appended: () => void): PeopleStore {
  const after = afterwards(appended)
  return {
    list: (nowMs) => driver.read(() => people.list(nowMs)),
    find: (personId) => driver.read(() => people.find(personId)),
    findLocal: (emailKey) => driver.read(() => people.findLocal(emailKey)),
    findAccount: (account) => driver.read(() => people.findAccount(account)),
    hasLocal: () => driver.read(() => people.hasLocal()),
    insert: (person, invitation, act) => driver.change('insertPerson', person, invitation, act).then(after),
    change: (personId, change, act, adminId = null) =>
      driver.change('changePerson', personId, change, act, adminId).then(after),
    remove: (personId, atMs, act, adminId = null) =>
      driver.change('removePerson', personId, atMs, act, adminId).then(after),
    restore: (personId, act) => driver.change('restorePerson', personId, act).then(after),
    reset: (invitation, act) => driver.change('resetPerson', invitation, act).then(after),
    findInvitation: (tokenHash, nowMs) => driver.read(() => people.findInvitation(tokenHash, nowMs)),
    accept: (tokenHash, accepted, act) =>
      driver.change('acceptInvitation', tokenHash, accepted, act).then(after),
  }
}

function sessionsOf(driver: Driver, appended: () => void): SessionStore {
  return {
    async start(session, secrets, act) {
      const isStarted = await driver.change('startSession', session, secrets, act)
      if (isStarted) appended()
      return isStarted
    },
    findByToken: (tokenHash, nowMs) => driver.read(() => sessions.findByToken(tokenHash, nowMs)),
    all: () => driver.read(() => sessions.all()),
    list: (personId, nowMs) => driver.read(() => sessions.list(personId, nowMs)),
    end: (personId, sessionId, atMs) => driver.change('endSession', personId, sessionId, atMs),
    async endAll(personId, atMs, act) {
      const ended = await driver.change('endSessions', personId, atMs, act)
      appended()
      return ended
    },
  }
}
