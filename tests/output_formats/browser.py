"""Runs headless Chromium and controls it over pipes with its DevTools protocol.

https://chromedevtools.github.io/devtools-protocol
"""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WAIT = 120  # seconds until a browser that does not answer is terminated


def program():
    for name in NAMES:
        if path := shutil.which(name):
            return path
    raise FileNotFoundError(f"none of {', '.join(NAMES)} is installed; on Debian: apt-get install chromium")


def high(descriptor):
    """A copy of the file descriptor with a number that the redirections below do not use."""
    copy = fcntl.fcntl(descriptor, fcntl.F_DUPFD, 20)
    os.close(descriptor)
    return copy


class Browser:
    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        ours_in, theirs_out = map(high, os.pipe())
        theirs_in, ours_out = map(high, os.pipe())
        words = [program(), "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
                 "--no-first-run", "--disable-dev-shm-usage", "--disable-background-networking",
                 "--disable-component-update",
                 f"--user-data-dir={self.profile.name}", "about:blank"]
        self.process = subprocess.Popen(["bash", "-c", f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}', "bash", *words],
                                        pass_fds=(theirs_in, theirs_out), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.ours_in, self.ours_out, self.buffer, self.next, self.events = ours_in, ours_out, b"", 0, []
        self.session = None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.ask(f"{domain}.enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.ours_in)
        os.close(self.ours_out)
        self.profile.cleanup()

    def _message(self):
        limit = time.monotonic() + WAIT
        while b"\0" not in self.buffer:
            if not select.select([self.ours_in], [], [], max(0, limit - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            chunk = os.read(self.ours_in, 1 << 16)
            if not chunk:
                raise EOFError("the browser ended")
            self.buffer += chunk
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, **parameters):
        self.next += 1
        question = {"id": self.next, "method": method, "params": parameters}
        if self.session:
            question["sessionId"] = self.session
        data = json.dumps(question).encode() + b"\0"
        while data:
            data = data[os.write(self.ours_out, data):]
        while True:
            message = self._message()
            if message.get("id") == self.next:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def open(self, url):
        """Loads a page. Returns the addresses that it requested, and the errors that the browser logged."""
        self.events.clear()
        self.ask("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._message())
        self.settle()
        asked = [event["params"]["request"]["url"] for event in self.events
                 if event.get("method") == "Network.requestWillBeSent"]
        told = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
        complaints = [event["params"] for event in self.events if event.get("method") in told]
        return asked, complaints

    def settle(self):
        """Waits until two frames are drawn."""
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def value(self, expression):
        answer = self.ask("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def look(self, width, scheme, media=""):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.ask("Emulation.setEmulatedMedia", media=media, features=[feature])
        self.settle()

    def type(self, text):
        for char in text:
            self.ask("Input.dispatchKeyEvent", type="keyDown", text=char, key=char)
            self.ask("Input.dispatchKeyEvent", type="keyUp", key=char)

    def press(self, key, code):
        for kind in ("rawKeyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def picture(self, whole=True):
        height = self.value("document.documentElement.scrollHeight") if whole else 900
        width = self.value("innerWidth")
        clip = {"x": 0, "y": 0, "width": width, "height": min(height, 12000), "scale": 1}
        return base64.b64decode(self.ask("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"])
