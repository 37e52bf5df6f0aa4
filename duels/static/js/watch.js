// The featured board: a socket says that it has changed, and the page fetches it again. It goes on to another battle, can
// be paused, and moves only while its reader sees it.
import { countDown, readServerTime } from "./battle/clock.js";

// How long a battle stays at least, until the connection is tried again, and for each turn of a replay.
const STAYS = 60000;
const RETRY = 5000;
const TURN = 4000;
// How long a new turn moves (watch.css).
const MOVES = 240;

class FeaturedBoard {
  constructor(box) {
    this.box = box;
    this.note = box.querySelector("[data-lost]");
    this.isPaused = false;
    this.isInSight = true;
    this.asked = 0;
    this.movedAt = -MOVES;
    this.begin();
    box.addEventListener("click", (event) => this.press(event));
    document.addEventListener("visibilitychange", () => this.moveOrStop());
    window.addEventListener("offline", () => this.isMoving && this.lose());
    new IntersectionObserver(([entry]) => {
      this.isInSight = entry.isIntersecting;
      this.moveOrStop();
    }).observe(box);
    setInterval(() => this.isMoving && this.mayLeave && this.refresh(), STAYS);
    setInterval(() => this.isMoving && countDown(box), 1000);
    this.showButtons();
    countDown(box);
  }

  get board() {
    return this.box.querySelector(".featured");
  }

  get isSeen() {
    return !this.isPaused && this.isInSight && document.visibilityState !== "hidden";
  }

  get isReplay() {
    return "replay" in this.board.dataset;
  }

  // The board stays for a while, and until a turn has been resolved or nothing more can be.
  get mayLeave() {
    const { key, mark, over } = this.board.dataset;
    const hasMoved = mark !== this.firstMark || (over && !this.isReplay);
    return !this.box.dataset.fixed && (!key || (hasMoved && performance.now() - this.since >= STAYS));
  }

  // Remembers since when this battle is shown.
  begin() {
    this.since = performance.now();
    this.firstMark = this.board.dataset.mark;
    this.hasNews = false;
  }

  moveOrStop() {
    if (this.isSeen === Boolean(this.isMoving)) {
      return;
    }
    this.isMoving = this.isSeen;
    if (this.isMoving) {
      this.connect();
      this.step();
    } else {
      this.disconnect();
      clearTimeout(this.stepping);
      clearTimeout(this.retrying);
    }
  }

  connect() {
    this.disconnect();
    const { socket: address, over } = this.board.dataset;
    if (over && this.box.dataset.fixed) {
      return;
    }
    const url = new URL(address, location.href);
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    this.socket = socket;
    this.address = address;
    // Nothing said what changed before it was open. A replay moves by itself, and hears only of an exhibition.
    socket.addEventListener("open", () => this.isReplay || this.refresh());
    socket.addEventListener("message", () => {
      this.hasNews = true;
      if (!this.isReplay) {
        this.refresh();
      }
    });
    socket.addEventListener("close", async () => {
      if (socket === this.socket && (await this.refresh())) {
        this.tryLater();
      }
    });
  }

  disconnect() {
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }

  // Says what the reader sees, and tries again until there is an answer.
  lose() {
    this.box.querySelector("[data-lost-turn]").textContent = this.board.dataset.turn;
    this.note.hidden = false;
    this.tryLater();
  }

  tryLater() {
    this.disconnect();
    clearTimeout(this.stepping);
    clearTimeout(this.retrying);
    this.retrying = setTimeout(async () => {
      if (this.isMoving && (await this.refresh()) && this.isMoving) {
        this.connect();
        this.step();
      }
    }, RETRY);
  }

  // A replay moves by itself.
  step() {
    clearTimeout(this.stepping);
    if (this.isReplay && this.isMoving) {
      this.stepping = setTimeout(() => this.refresh(), TURN);
    }
  }

  // Fetches the board; returns whether there was an answer. Without `goesOn` it is the same battle, or after a while
  // the one that is first now.
  async refresh(goesOn = false) {
    const { key, replay } = this.board.dataset;
    const query = new URLSearchParams(key ? { shown: key } : {});
    if (goesOn) {
      query.set("next", "1");
    } else if (this.mayLeave && (!this.isReplay || replay === "0" || this.hasNews)) {
      query.set("free", "1");
    } else if (this.isReplay) {
      query.set("turn", replay);
    }
    if (this.box.dataset.only) {
      query.set("only", this.box.dataset.only);
    }
    const number = (this.asked += 1);
    try {
      const answer = await fetch(`${this.box.dataset.featured}?${query}`, { headers: { "X-Requested-With": "fetch" } });
      if (!answer.ok) {
        throw new Error(answer.statusText);
      }
      readServerTime(answer);
      const text = await answer.text();
      this.note.hidden = true;
      // An answer that another one has overtaken, or one to a reader who has pressed Pause, changes nothing.
      if (number === this.asked && (this.isMoving || goesOn)) {
        // The same again would cut short what moves.
        if (text !== this.shown) {
          this.shown = text;
          this.show(text);
        } else {
          this.step();
        }
      }
      return true;
    } catch {
      if (number === this.asked) {
        this.lose();
      }
      return false;
    }
  }

  show(text) {
    const fresh = new DOMParser().parseFromString(text, "text/html").querySelector(".featured");
    const old = this.board;
    if (fresh) {
      const hasMoved = fresh.dataset.mark !== old.dataset.mark;
      const isOther = fresh.dataset.key !== old.dataset.key;
      const focused = old.contains(document.activeElement) && document.activeElement.dataset.act;
      // Another answer may follow at once, with one more spectator: it does not cut short what moves.
      this.movedAt = hasMoved ? performance.now() : this.movedAt;
      fresh.classList.toggle("moved", !isOther && performance.now() - this.movedAt < MOVES);
      countDown(fresh);
      old.replaceWith(document.adoptNode(fresh));
      this.showButtons();
      if (focused) {
        this.box.querySelector(`[data-act="${focused}"]`)?.focus({ preventScroll: true });
      }
      if (isOther) {
        this.begin();
      } else if (hasMoved && this.box.dataset.fixed) {
        tellTurn(fresh);
      }
      if (isOther && this.isMoving && fresh.dataset.socket !== this.address) {
        this.connect();
      }
    }
    this.step();
  }

  showButtons() {
    const pause = this.box.querySelector("[data-act=pause]");
    if (pause) {
      pause.hidden = false;
      pause.textContent = this.isPaused ? this.box.dataset.go : this.box.dataset.pause;
    }
  }

  press(event) {
    const act = event.target.closest("[data-act]")?.dataset.act;
    if (act === "pause") {
      this.isPaused = !this.isPaused;
      this.note.hidden = true;
      this.showButtons();
      this.moveOrStop();
    } else if (act === "next" && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      this.refresh(true);
    }
  }
}

// Adds the turn to the list of those so far.
function tellTurn(board) {
  const [list, row] = [document.querySelector("[data-turns]"), document.createElement("li")];
  row.append(document.importNode(board.querySelector(".featured-news"), true));
  list?.querySelector("[data-none]")?.remove();
  list?.append(row);
}

for (const box of document.querySelectorAll("[data-featured]")) {
  new FeaturedBoard(box);
}
