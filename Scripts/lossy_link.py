"""Two hosts on this machine with a line between them that delays, loses and breaks.

The hosts are network namespaces, each with a TUN device. A thread carries the packets from one
device to the other, which needs no part of the kernel beyond these two. Nothing of it reaches the
machine's own network. It needs root.
"""

import collections
import fcntl
import os
import random
import select
import struct
import subprocess
import threading
import time

TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
TCP = 6


class Impossible(Exception):
    """The machine does not allow it, and why."""


class Cut:
    """A line that breaks for the connections to one port of the right host, once so many bytes have gone one way."""

    def __init__(self, side, count):
        self.side, self.left = side, count
        self.happened = threading.Event()

    def swallows(self, side, length):
        """Whether a packet is lost."""
        if side == self.side and self.left > 0:
            self.left -= length
        if self.left <= 0:
            self.happened.set()
        return self.left <= 0


class Link:
    """The hosts `left` and `right` with the addresses 10.77.0.1 and 10.77.0.2, and the line between them.

    Delay and jitter are seconds for one way, loss is a probability; all may be changed at any time.
    """

    addresses = {"left": "10.77.0.1", "right": "10.77.0.2"}

    def __init__(self, seed, delay=0.0, jitter=0.0, loss=0.0):
        self.delay, self.jitter, self.loss = delay, jitter, loss
        self.chance = random.Random(seed)
        self.names = {side: f"fichero-{os.getpid()}-{side}" for side in self.addresses}
        self.devices = {}
        self.cuts = {}
        self.carried = dict.fromkeys(self.addresses, 0)
        self.lost = 0
        self.end, self.ending = os.pipe()
        self.thread = None

    def __enter__(self):
        try:
            for side, other in (("left", "right"), ("right", "left")):
                self.open(side, other)
        except (OSError, subprocess.CalledProcessError) as error:
            self.__exit__()
            said = error.stderr.decode().strip() if isinstance(error, subprocess.CalledProcessError) else str(error)
            raise Impossible(said) from error
        self.thread = threading.Thread(target=self.carry, daemon=True)
        self.thread.start()
        return self

    def open(self, side, other):
        """Makes a host and its device."""
        name, device = self.names[side], self.device(side)
        self.ip("netns", "add", name)
        self.devices[side] = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        fcntl.ioctl(self.devices[side], TUNSETIFF, struct.pack("16sH", device.encode(), IFF_TUN | IFF_NO_PI))
        self.ip("link", "set", device, "netns", name)
        self.ip("-n", name, "link", "set", "lo", "up")
        self.ip("-n", name, "addr", "add", self.addresses[side], "peer", self.addresses[other], "dev", device)
        self.ip("-n", name, "link", "set", device, "up")

    @staticmethod
    def device(side):
        """The name of a host's device."""
        return f"fi{os.getpid()}{side[0]}"

    @staticmethod
    def ip(*arguments):
        """Runs iproute2."""
        subprocess.run(["ip", *arguments], check=True, capture_output=True)

    def __exit__(self, *_):
        os.write(self.ending, b".")
        if self.thread:
            self.thread.join()
        for name in self.names.values():
            subprocess.run(["ip", "netns", "delete", name], capture_output=True)
        for descriptor in (*self.devices.values(), self.end, self.ending):
            os.close(descriptor)

    def on(self, side, *command):
        """The command that runs a command on a host."""
        return ["ip", "netns", "exec", self.names[side], *command]

    def retransmissions(self):
        """How many segments both hosts sent again so far."""
        total = 0
        for side in self.names:
            lines = subprocess.run(self.on(side, "cat", "/proc/net/snmp"), check=True, capture_output=True, text=True).stdout.splitlines()
            head, values = (line.split() for line in lines if line.startswith("Tcp:"))
            total += int(values[head.index("RetransSegs")])
        return total

    def cut(self, port, side, count):
        """Lets the line break for the connections to a port of the right host, once this many bytes have come from a side."""
        self.cuts[port] = Cut(side, count)
        return self.cuts[port]

    def vanish(self):
        """The left host knows no way to the right one any more: new connections fail at once, old ones wait."""
        self.ip("-n", self.names["left"], "route", "del", self.addresses["right"] + "/32", "dev", self.device("left"))

    def mend(self):
        """The line is whole again, and the way is known."""
        self.cuts = {}
        self.ip("-n", self.names["left"], "route", "add", self.addresses["right"] + "/32", "dev", self.device("left"), "src", self.addresses["left"])

    # MARK: The thread

    def carry(self):
        """Carries packets until the end. Those of one direction keep their order."""
        waiting = {side: collections.deque() for side in self.devices}
        other = {"left": "right", "right": "left"}
        sides = {descriptor: side for side, descriptor in self.devices.items()}
        while True:
            now = time.monotonic()
            for side, packets in waiting.items():
                while packets and packets[0][0] <= now:
                    self.deliver(self.devices[other[side]], packets.popleft()[1])
            dues = [packets[0][0] for packets in waiting.values() if packets]
            ready, _, _ = select.select([*sides, self.end], [], [], max(0, min(dues) - now) if dues else None)
            if self.end in ready:
                return
            for descriptor in ready:
                side = sides[descriptor]
                for packet in self.arrived(descriptor):
                    if self.is_lost(packet, side):
                        continue
                    due = time.monotonic() + self.delay + self.chance.uniform(0, self.jitter)
                    waiting[side].append((max(due, waiting[side][-1][0] if waiting[side] else 0), packet))
                    self.carried[side] += len(packet)

    @staticmethod
    def arrived(descriptor):
        """The packets that a host has sent."""
        for _ in range(64):
            try:
                yield os.read(descriptor, 65536)
            except OSError:
                return

    @staticmethod
    def deliver(descriptor, packet):
        """A device that cannot take a packet loses it, as a router would."""
        try:
            os.write(descriptor, packet)
        except OSError:
            return

    def is_lost(self, packet, side):
        """Chance takes some packets, and a cut takes all of a port."""
        # IPv4 alone: what a host says of itself over IPv6 has no one to hear it.
        if packet[0] >> 4 != 4:
            return True
        if packet[9] == TCP:
            start = (packet[0] & 15) * 4
            ports = struct.unpack_from("!HH", packet, start)
            cut = self.cuts.get(ports[1] if side == "left" else ports[0])
            if cut and cut.swallows(side, len(packet)):
                return True
        if self.chance.random() < self.loss:
            self.lost += 1
            return True
        return False
