/** Before the first paint: the stored theme, and whether the first page will be that for visitors. */
const { dataset } = document.documentElement
try {
  const theme = localStorage.getItem('fairway.theme')
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  const isSignedIn =
    sessionStorage.getItem('fairway.key') !== null || localStorage.getItem('fairway.signed-in') !== null
  if (location.pathname === '/' && !isSignedIn) dataset.first = 'visitor'
} catch {
  // Without storage, the system's theme applies.
}
