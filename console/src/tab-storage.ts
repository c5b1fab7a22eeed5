/** Values of this tab, and of this browser as a default for new tabs. Without storage they last as long as the page. */

function within<Result>(work: () => Result, otherwise: Result): Result {
  try {
    return work()
  } catch {
    return otherwise
  }
}

function put(storage: Storage, name: string, value: string | null): void {
  if (value === null) storage.removeItem(name)
  else storage.setItem(name, value)
}

const keyName = 'fairway.key'

export const storedKey = (): string | null => within(() => sessionStorage.getItem(keyName), null)

export const storeKey = (key: string | null): void =>
  within(() => put(sessionStorage, keyName, key), undefined)

const ownerName = 'fairway.owner'

/** The owner that an admin of the installation has chosen in this tab or, in a new tab, last of all. */
export const storedOwner = (): string | null =>
  within(() => sessionStorage.getItem(ownerName) ?? localStorage.getItem(ownerName), null)

/** A choice in another tab does not change this one. */
export const pinOwner = (ownerId: string | null): void =>
  within(() => put(sessionStorage, ownerName, ownerId), undefined)

export function storeOwner(ownerId: string | null): void {
  within(() => {
    put(sessionStorage, ownerName, ownerId)
    put(localStorage, ownerName, ownerId)
  }, undefined)
}

const signedInName = 'fairway.signed-in'

/** Whether somebody was signed in to this browser when the server last said so. */
export const wasSignedIn = (): boolean => within(() => localStorage.getItem(signedInName) !== null, false)

export const storeSignedIn = (isSignedIn: boolean): void =>
  within(() => put(localStorage, signedInName, isSignedIn ? 'true' : null), undefined)

const viewsName = (of: string, ownerId: string): string => `fairway.${of}-views.${ownerId}`

/** The saved views of a list, of one owner. */
export const storedViews = (of: string, ownerId: string): string | null =>
  within(() => localStorage.getItem(viewsName(of, ownerId)), null)

const dismissedName = (ownerId: string): string => `fairway.first-steps-dismissed.${ownerId}`

export const isFirstStepsDismissed = (ownerId: string): boolean =>
  within(() => localStorage.getItem(dismissedName(ownerId)) !== null, false)

export const dismissFirstSteps = (ownerId: string): void =>
  within(() => put(localStorage, dismissedName(ownerId), 'true'), undefined)

export const storeViews = (of: string, ownerId: string, views: string | null): void =>
  within(() => put(localStorage, viewsName(of, ownerId), views), undefined)

const recentName = 'fairway.recent'

/** The pages that were opened by the search in this tab, as JSON. */
export const storedRecent = (): string | null => within(() => sessionStorage.getItem(recentName), null)

export const storeRecent = (recent: string): void =>
  within(() => put(sessionStorage, recentName, recent), undefined)
