// {% load i18n static %}{% translate 'Home' as home %}{% translate 'Battle' as battle %}
// The service worker: makes the site installable, and shows the last state of the home page and of battles offline.
// It stores only pages of someone who is logged in, and deletes them when their session ends: they log out, a page comes
// without a session, or the session would have run out by now.
const PAGES = "pages-1";
const FILES = "files-1";
const MOST_PAGES = 20;
const MOST_FILES = 120;
const THIS_DEVICE = "{% url 'accounts:this_device' %}";
const LEAVING = /^\/accounts\/(log|close)/;
const KEPT = /^\/(battles\/\d+\/)?$/;
// A page of someone who is logged in has these words.
const OWN = "data-offline hidden";
const SESSION = Number("{{ session_seconds }}") * 1000;
const OFFLINE = "{% filter escapejs %}{% include 'parts/offline.html' %}{% endfilter %}";

const STYLES = ["css/bare.css", "css/tokens.css", "icons/quiet.svg"].map((each) => "{% get_static_prefix %}" + each);

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(FILES).then((cache) => cache.addAll(STYLES)).catch(() => undefined));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (address.origin !== self.location.origin) {
    return;
  }
  if (LEAVING.test(address.pathname)) {
    event.waitUntil(forget());
  } else if (request.method === "GET" && request.mode === "navigate" && KEPT.test(address.pathname)) {
    event.respondWith(showPage(request, address));
  } else if (request.method === "GET" && request.mode === "navigate") {
    event.respondWith(fetch(request).catch(sayOffline));
  } else if (request.method === "GET" && address.pathname.startsWith("/static/")) {
    event.respondWith(showFile(request));
  }
});

// A notification names a battle or a challenge; the page that it opens shows what the user may see.
self.addEventListener("push", (event) => {
  const push = event.data ? event.data.json() : {};
  if (push.title) {
    const options = { body: push.text, tag: push.tag, renotify: true, data: { path: push.path } };
    event.waitUntil(self.registration.showNotification(push.title, options));
  }
});

// The browser has ended the subscription: make a new one, which the site knows by this browser's cookie.
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renewPush(event)));

async function renewPush(event) {
  const options = { userVisibleOnly: true, applicationServerKey: event.oldSubscription?.options.applicationServerKey };
  if (!options.applicationServerKey) {
    options.applicationServerKey = (await (await fetch(THIS_DEVICE)).json()).key;
  }
  const fresh = event.newSubscription ?? (await self.registration.pushManager.subscribe(options));
  const { endpoint, keys } = fresh.toJSON();
  await fetch(THIS_DEVICE, { method: "POST", body: new URLSearchParams({ endpoint, ...keys, renew: "yes" }) });
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.path));
});

async function openPage(path) {
  const address = new URL(path, self.location.origin);
  const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const same = open.find((client) => new URL(client.url).pathname === address.pathname);
  return same ? same.focus() : self.clients.openWindow(address.href);
}

async function forget() {
  await caches.delete(PAGES);
}

// The current page; without a network the last one, regardless of its query.
async function showPage(request, address) {
  const cache = await caches.open(PAGES);
  try {
    const answer = await fetch(request);
    if (answer.ok && !answer.redirected && answer.type === "basic") {
      if ((await answer.clone().text()).includes(OWN)) {
        await cache.put(address.pathname, answer.clone());
        await trim(cache, MOST_PAGES);
      } else {
        await forget();
      }
    } else if (!answer.ok || answer.redirected) {
      await cache.delete(address.pathname);
    }
    return answer;
  } catch {
    await forgetOld(cache);
    const last = await cache.match(address.pathname);
    return last ? markAsLast(last) : sayOffline();
  }
}

// Without a network nobody says that a session has ended, but none lasts longer than this.
async function forgetOld(cache) {
  const kept = await cache.matchAll();
  const newest = Math.max(0, ...kept.map((each) => Date.parse(each.headers.get("Date")) || Date.now()));
  if (Date.now() - newest > SESSION) {
    await Promise.all((await cache.keys()).map((key) => cache.delete(key)));
  }
}

// An installed site has no address bar, so a page of the browser's own would be a dead end.
async function sayOffline() {
  const cache = await caches.open(PAGES);
  await forgetOld(cache);
  const kept = await cache.keys();
  const paths = kept.map((each) => new URL(each.url).pathname).sort();
  const links = paths.map((path) => `<li><a href="${path}">${nameOf(path)}</a></li>`);
  const text = links.length ? OFFLINE.replace("<ul>", `<ul>${links.join("")}`) : OFFLINE.replace(/<section>.*<\/section>/s, "");
  return new Response(text, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
}

const nameOf = (path) => (path === "/" ? "{{ home|escapejs }}" : `{{ battle|escapejs }} ${path.split("/")[2]}`);

// The page itself says that it is not current.
async function markAsLast(last) {
  const text = await last.text();
  const headers = new Headers(last.headers);
  headers.delete("Content-Length");
  headers.delete("Content-Encoding");
  return new Response(text.replace(OWN, "data-offline"), { headers });
}

// Names of files change with their contents, except while the site is developed: so the network comes first.
async function showFile(request) {
  const cache = await caches.open(FILES);
  try {
    const answer = await fetch(request);
    if (answer.ok) {
      await cache.put(request, answer.clone());
      await trim(cache, MOST_FILES);
    }
    return answer;
  } catch (error) {
    const last = await cache.match(request);
    if (last) {
      return last;
    }
    throw error;
  }
}

async function trim(cache, most) {
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - most)).map((key) => cache.delete(key)));
}
