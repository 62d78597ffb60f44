/** The footer's control for offline reading: asks the service worker to save the guide, and shows what is saved. */

import { isSaveDataEnabled } from "./data-saver.js";
import { SITE_URL } from "./site-url.js";
import * as storage from "./storage.js";
import type { OfflineRequest, OfflineStatus, OfflineStatusOrReload } from "./worker-protocol.js";

/** Storage key of why nothing is saved unless a reader asks: "remove" is their choice, "no room" the last outcome. */
const OFFLINE_STORAGE_KEY = "guide:offline";

const STALLED_DOWNLOAD_RETRY_MS = 20_000;

const PROBLEM_MESSAGES = {
  "no room":
    "This browser has no room to save the guide for offline reading: free some space, then press the button. Everything else works.",
  "no storage":
    "This browser does not let the guide save anything for offline reading: allow storage for this site in its settings. Everything else works.",
  interrupted:
    "Some files could not be downloaded: press the button to try again now, or they follow at your next visit.",
};
type OfflineProblem = keyof typeof PROBLEM_MESSAGES;

/** Register the service worker, unless the reader has chosen against it, and bring the control to life. */
export async function initOfflineControl(control: HTMLElement): Promise<void> {
  const container = navigator.serviceWorker;
  const findPart = <E extends HTMLElement>(selector: string): E => control.querySelector(selector) as E;
  const [statusElement, progressBar] = [findPart("[role=status]"), findPart<HTMLProgressElement>("progress")];
  const [saveButton, removeButton] = [findPart(".save-offline"), findPart(".remove-offline")];
  let registration: ServiceWorkerRegistration | undefined;
  let watchdog = 0;

  const setStatus = (sentence: string): void => {
    // A screen reader would read the same text again.
    if (statusElement.textContent !== sentence) statusElement.textContent = sentence;
  };

  const sendRequest = (request: OfflineRequest): void => {
    const worker = registration?.active ?? registration?.waiting ?? registration?.installing;
    worker?.postMessage(request);
  };

  const render = (status: OfflineStatus | null, problem: OfflineProblem | null = status?.trouble ?? null): void => {
    clearTimeout(watchdog);
    const fetching = status?.fetching ?? null;
    progressBar.hidden = fetching === null;
    if (fetching) {
      [progressBar.max, progressBar.value] = [fetching.of, fetching.done];
      // A browser may stop a service worker that runs for long; the same request continues the download.
      watchdog = window.setTimeout(() => sendRequest("text"), STALLED_DOWNLOAD_RETRY_MS);
    }
    const focused = document.activeElement;
    saveButton.hidden = Boolean(status?.text && status.python);
    saveButton.ariaDisabled = String(fetching !== null);
    removeButton.hidden = !(status?.text || fetching || status?.trouble === "interrupted");
    if (focused === saveButton && saveButton.hidden) removeButton.focus();
    if (focused === removeButton && removeButton.hidden) saveButton.focus();
    if (fetching) setStatus("Downloading the guide for offline reading.");
    else if (problem === "no room" && status?.text) setStatus(`${describeStatus(status)} There is no room for more.`);
    else if (problem) setStatus(PROBLEM_MESSAGES[problem]);
    else setStatus(describeStatus(status));
  };

  const announceNewEdition = (): void => {
    if (registration?.waiting && registration.active)
      setStatus("A newer edition of the guide has been downloaded. Close all pages of the guide to see it.");
  };

  const watchWorker = (worker: ServiceWorker | null): void =>
    worker?.addEventListener("statechange", announceNewEdition);

  const register = async (): Promise<void> => {
    try {
      registration = await container.register(new URL("service-worker.js", SITE_URL), { scope: SITE_URL.pathname });
    } catch (error) {
      if (!registration) {
        if ((error as Error).name === "SecurityError") return render(null, "no storage");
        control.hidden = true; // this site has no service worker
        return;
      }
    }
    registration.addEventListener("updatefound", () => watchWorker(registration?.installing ?? null));
    watchWorker(registration.installing);
    announceNewEdition();
    // Left alone, browsers look for a new edition only now and then.
    if (registration.active) registration.update().catch(() => {});
  };

  container.addEventListener("message", ({ data, source }) => {
    const message = data as OfflineStatusOrReload;
    if ("reload" in message) return location.reload();
    // Only the active edition's messages count. While none is active, those of one that installs do, but for success.
    const { fetching, text, trouble } = message.kept;
    const isFirstInstall = !registration?.active && (!text || fetching !== null);
    if (!isFirstInstall && source !== registration?.active) return;
    if (trouble === "no room" && !text) storage.saveItem(OFFLINE_STORAGE_KEY, trouble);
    render(message.kept);
    announceNewEdition();
  });
  container.startMessages();

  document.addEventListener("python-loaded", () => {
    if (storage.loadItem(OFFLINE_STORAGE_KEY) === null) void container.ready.then(() => sendRequest("python"));
  });
  saveButton.addEventListener("click", async () => {
    if (saveButton.ariaDisabled === "true") return;
    saveButton.ariaDisabled = "true";
    storage.saveItem(OFFLINE_STORAGE_KEY, null);
    setStatus("Downloading the guide for offline reading.");
    navigator.storage?.persist?.().catch(() => false);
    await register();
    sendRequest("everything");
  });
  removeButton.addEventListener("click", () => {
    storage.saveItem(OFFLINE_STORAGE_KEY, "remove");
    sendRequest("nothing");
  });

  registration = await container.getRegistration(SITE_URL).catch(() => undefined);
  const reason = storage.loadItem(OFFLINE_STORAGE_KEY);
  if (!registration && (reason !== null || isSaveDataEnabled()))
    return render(null, reason === "no room" ? reason : null);
  await register();
  if (!registration) return;
  await container.ready;
  sendRequest("text");
}

/** Describe for readers what is saved on this device. */
function describeStatus(status: OfflineStatus | null): string {
  if (!status?.text) return "Nothing of the guide is saved on this device.";
  if (status.python) return "Saved on this device: all pages, and Python. They work offline.";
  const size = Math.round(status.pythonSize / 1e6);
  return `Saved on this device: all pages. Not yet: Python, about ${size} MB.`;
}
