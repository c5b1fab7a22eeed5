/** The API reference: a filter over the endpoints, copy buttons, and forms that send requests to this server alone. */
const shownHeaders =
  'retry-after ratelimit ratelimit-policy x-request-id x-svc-warning www-authenticate link content-type'.split(
    ' ',
  )
const lists = [...document.querySelectorAll('.ref-list')]

/** Text is never taken for markup. */
function element(name, attributes, ...children) {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}

const button = (label, look, attributes, text) =>
  element('button', { type: 'button', class: `button ${look}`, 'aria-label': label, ...attributes }, text)

let lastId = 0

/** A label above a control. */
function field(label, control, hint) {
  control.id = `reference-${(lastId += 1)}`
  const parts = [element('label', { for: control.id }, label), control]
  if (hint !== undefined) {
    parts.push(element('p', { class: 'field-hint', id: `${control.id}-hint` }, hint))
    control.setAttribute('aria-describedby', `${control.id}-hint`)
  }
  return element('div', { class: 'field' }, ...parts)
}

// Copying

function addCopyButton(block) {
  const pre = block.querySelector('pre')
  const text = element('span', { 'aria-live': 'polite' }, 'Copy')
  const copy = button(`Copy: ${pre.getAttribute('aria-label')}`, 'button-quiet button-small', {}, text)
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(pre.textContent)
      text.textContent = 'Copied'
    } catch {
      // Insecure origins have no clipboard API.
      getSelection().selectAllChildren(pre)
      text.textContent = 'Selected'
    }
    setTimeout(() => (text.textContent = 'Copy'), 2_000)
  })
  block.querySelector('.code-head').append(copy)
}

/** Commands name this server, not that of the documents. */
const { server } = document.querySelector('#content').dataset
for (const sample of document.querySelectorAll('.ref-samples code'))
  for (const node of sample.childNodes)
    if (node.nodeType === Node.TEXT_NODE) node.data = node.data.replaceAll(server, location.origin)
for (const block of document.querySelectorAll('.ref-code')) addCopyButton(block)

// Finding an endpoint

function addFilter(list) {
  const items = [...list.querySelectorAll('li')]
  const input = element('input', { type: 'search', class: 'input', autocomplete: 'off' })
  const count = element('p', { class: 'field-hint', role: 'status' })
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/)
    for (const item of items) {
      const text = `${item.dataset.words ?? ''} ${item.textContent.toLowerCase()}`
      item.hidden = !words.every((word) => text.includes(word))
    }
    for (const group of list.querySelectorAll('.nav-group'))
      group.hidden = group.querySelector('li:not([hidden])') === null
    const found = items.filter((item) => !item.hidden).length
    count.textContent = input.value === '' ? '' : `${found} of ${items.length} entries`
  })
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') list.querySelector('li:not([hidden]) a')?.click()
  })
  list.prepend(element('div', { class: 'ref-find' }, field('Filter by name or path ( / )', input), count))
  return input
}

const menu = document.querySelector('.guide-menu')
const filters = lists.map(addFilter)
menu.addEventListener('click', (event) => {
  if (event.target.closest('a') !== null) menu.open = false
})

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.matches('input, textarea, select')
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
  event.preventDefault()
  const isNarrow = !filters[0].checkVisibility()
  if (isNarrow) menu.open = true
  filters[isNarrow ? 1 : 0].focus()
})

/** Marks the part of the page that is being read in the list at its side. */
const links = new Map([...lists[0].querySelectorAll('a')].map((link) => [link.hash.slice(1), link]))
const reading = new IntersectionObserver(
  (changes) => {
    const link = links.get(changes.findLast((change) => change.isIntersecting)?.target.id)
    if (link === undefined) return
    lists[0].querySelector('[aria-current]')?.removeAttribute('aria-current')
    link.setAttribute('aria-current', 'true')
    const [box, frame] = [link, lists[0]].map((one) => one.getBoundingClientRect())
    if (box.top < frame.top || box.bottom > frame.bottom) lists[0].scrollTop += box.top - frame.top - 120
  },
  { rootMargin: '-80px 0px -75% 0px' },
)
for (const part of document.querySelectorAll('.ref-part')) reading.observe(part)

// Trying an operation

/** In memory alone, for the next form. A tab that is signed in to the console with a key has it already. */
let key = ''
try {
  key = sessionStorage.getItem('fairway.key') ?? ''
} catch {
  // Without storage, the key is typed.
}

function parameterField(item) {
  const { name, in: place, example = '' } = item.dataset
  const values = [...item.querySelectorAll(':scope > .ref-values code')].map((code) => code.textContent)
  const attributes = { class: 'input', name, 'data-in': place, autocomplete: 'off' }
  if (item.querySelector(':scope > .ref-field .ref-must') !== null) attributes.required = ''
  const control =
    values.length > 0
      ? element('select', attributes, ...['', ...values].map((value) => element('option', {}, value)))
      : element('input', { ...attributes, placeholder: example })
  return field(`${name} (${place})`, control)
}

function bodyFields(section, types) {
  const samples = new Map(
    [...section.querySelectorAll('[data-body]')].map((sample) => [
      sample.dataset.body,
      sample.textContent.replaceAll(String.raw`'\''`, "'"),
    ]),
  )
  const text = element('textarea', { class: 'input ref-body', spellcheck: 'false', 'data-in': 'body' })
  const type = element(
    'select',
    { class: 'input', 'data-in': 'type' },
    ...types.map((name) => element('option', {}, name)),
  )
  const show = () => {
    text.value = samples.get(type.value) ?? ''
    text.rows = Math.min(16, Math.max(4, text.value.split('\n').length + 1))
  }
  type.addEventListener('change', show)
  show()
  const choice = types.length > 1 ? [field('Type of the body', type)] : []
  return [...choice, field(`Body (${types.join(' or ')})`, text)]
}

const kept = 'Kept until you leave this page, and never stored.'
const hints = {
  key: kept,
  'key session': `${kept} Without one, the session of this browser is used.`,
  session: 'Sent with the session of this browser: sign in to the console first.',
}

function accessFields(access) {
  if (access === '') return []
  if (access === 'session') return [element('p', { class: 'field-hint' }, hints.session)]
  const input = element('input', { type: 'password', class: 'input', autocomplete: 'off', 'data-in': 'key' })
  input.value = key
  input.addEventListener('input', () => (key = input.value.trim()))
  return [field('API key', input, hints[access])]
}

function createForm(section) {
  const { access, types } = section.dataset
  const owner = { class: 'input', name: 'X-Fairway-Owner', 'data-in': 'header', autocomplete: 'off' }
  const form = element(
    'form',
    { class: 'ref-form' },
    ...accessFields(access),
    ...[...section.querySelectorAll('[data-name]')].map(parameterField),
    ...(types === '' ? [] : bodyFields(section, types.split(' '))),
    ...(access.includes('session')
      ? [field('Owner (X-Fairway-Owner), for admins of the installation', element('input', owner))]
      : []),
    element('button', { class: 'button button-primary' }, 'Send'),
    element('p', { role: 'status', class: 'ref-status' }),
    element('div', { class: 'ref-answer' }),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (form.ariaBusy !== 'true') void submit(section.dataset, form)
  })
  return form
}

/** The request of a form, as `fetch` takes it. */
function requestOf({ method, path, types }, form) {
  const headers = new Headers()
  const query = new URLSearchParams()
  let filled = path
  for (const { name, value, dataset } of form.querySelectorAll('[name]')) {
    if (dataset.in === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value))
    else if (value !== '' && dataset.in === 'query') query.set(name, value)
    else if (value !== '') headers.set(name, value)
  }
  const usedKey = form.querySelector('[data-in=key]')?.value.trim() ?? ''
  if (usedKey !== '') headers.set('authorization', `Bearer ${usedKey}`)
  const body = form.querySelector('[data-in=body]')?.value ?? ''
  if (body !== '') headers.set('content-type', form.querySelector('[data-in=type]')?.value ?? types)
  const init = { method, headers, cache: 'no-store', credentials: usedKey === '' ? 'same-origin' : 'omit' }
  if (body !== '') init.body = body
  return [`${filled}${query.size === 0 ? '' : `?${query}`}`, init]
}

async function submit(operation, form) {
  const [status, answer] = ['.ref-status', '.ref-answer'].map((name) => form.querySelector(name))
  form.ariaBusy = 'true'
  status.className = 'ref-status'
  status.textContent = 'Sending…'
  answer.replaceChildren()
  try {
    const request = requestOf(operation, form)
    const startedMs = performance.now()
    const response = await fetch(...request)
    const text = await response.text()
    const tookMs = Math.round(performance.now() - startedMs)
    status.className = `ref-status ${response.ok ? 'tone-go' : 'tone-nogo'}`
    status.textContent = `${response.status} ${response.statusText} in ${tookMs} ms`
    answer.append(headerList(response.headers), bodyBlock(response.headers.get('content-type') ?? '', text))
  } catch (error) {
    status.className = 'ref-status tone-nogo'
    status.textContent = `No answer: ${error.message}. Check that the server is up, and what you entered.`
  } finally {
    form.ariaBusy = 'false'
  }
}

function headerList(headers) {
  const rows = shownHeaders.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [element('dt', {}, name), element('dd', {}, value)]
  })
  return element('dl', { class: 'ref-headers' }, ...rows)
}

function bodyBlock(type, text) {
  let shown = text
  if (type.includes('json')) {
    try {
      shown = JSON.stringify(JSON.parse(text), null, 2)
    } catch {
      // Shown as it came.
    }
  }
  const pre = element('pre', { tabindex: '0', role: 'group', 'aria-label': 'Body of the answer' }, shown)
  const head = element('div', { class: 'code-head' }, element('span', {}, 'Body'))
  const block = element('div', { class: 'code' }, head, pre)
  addCopyButton(block)
  return block
}

/** The form is made when it is first opened. */
for (const section of document.querySelectorAll('[data-method]')) {
  const label = `Try it: ${section.dataset.method} ${section.dataset.path}`
  const opener = button(label, 'button-secondary button-small', { 'aria-expanded': 'false' }, 'Try it')
  let form = null
  opener.addEventListener('click', () => {
    const isOpen = form === null || form.hidden
    form ??= createForm(section)
    form.hidden = !isOpen
    opener.after(form)
    opener.setAttribute('aria-expanded', String(isOpen))
    if (isOpen) form.querySelector('input, select, textarea, button').focus()
  })
  section.querySelector('.ref-samples').prepend(opener)
}
