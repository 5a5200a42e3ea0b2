"""UTM on WGS 84, both ways: Krüger's series to the fourth order (Karney 2011), better than a millimetre inside a zone."""
import math

_A = 6378137.0
_F = 1 / 298.257223563
_N = _F / (2 - _F)
_E = math.sqrt(_F * (2 - _F))
_RADIUS = _A / (1 + _N) * (1 + _N**2 / 4 + _N**4 / 64)
_SCALE = 0.9996
_FALSE_EASTING = 500000.0
_FALSE_NORTHING_SOUTH = 10000000.0

_ALPHA = (
    _N / 2 - 2 * _N**2 / 3 + 5 * _N**3 / 16 + 41 * _N**4 / 180,
    13 * _N**2 / 48 - 3 * _N**3 / 5 + 557 * _N**4 / 1440,
    61 * _N**3 / 240 - 103 * _N**4 / 140,
    49561 * _N**4 / 161280,
)
_BETA = (
    _N / 2 - 2 * _N**2 / 3 + 37 * _N**3 / 96 - _N**4 / 360,
    _N**2 / 48 + _N**3 / 15 - 437 * _N**4 / 1440,
    17 * _N**3 / 480 - 37 * _N**4 / 840,
    4397 * _N**4 / 161280,
)


def central_meridian(zone):
    return zone * 6 - 183


def to_utm(latitude, longitude, zone):
    """Degrees → (easting, northing) in metres, in a zone of the southern half."""
    phi, lam = math.radians(latitude), math.radians(longitude - central_meridian(zone))
    t = math.sinh(math.atanh(math.sin(phi)) - _E * math.atanh(_E * math.sin(phi)))
    xi, eta = math.atan2(t, math.cos(lam)), math.atanh(math.sin(lam) / math.hypot(1, t))
    x, y = eta, xi
    for j, alpha in enumerate(_ALPHA, start=1):
        x += alpha * math.cos(2 * j * xi) * math.sinh(2 * j * eta)
        y += alpha * math.sin(2 * j * xi) * math.cosh(2 * j * eta)
    return _FALSE_EASTING + _SCALE * _RADIUS * x, _FALSE_NORTHING_SOUTH + _SCALE * _RADIUS * y


def to_degrees(easting, northing, zone):
    """(easting, northing) in a southern zone → (latitude, longitude) in degrees."""
    xi = (northing - _FALSE_NORTHING_SOUTH) / (_SCALE * _RADIUS)
    eta = (easting - _FALSE_EASTING) / (_SCALE * _RADIUS)
    x, y = xi, eta
    for j, beta in enumerate(_BETA, start=1):
        x -= beta * math.sin(2 * j * xi) * math.cosh(2 * j * eta)
        y -= beta * math.cos(2 * j * xi) * math.sinh(2 * j * eta)
    chi = math.asin(math.sin(x) / math.cosh(y))
    longitude = math.degrees(math.atan2(math.sinh(y), math.cos(x))) + central_meridian(zone)
    tau = target = math.tan(chi)
    for _ in range(6):
        sigma = math.sinh(_E * math.atanh(_E * tau / math.hypot(1, tau)))
        found = tau * math.hypot(1, sigma) - sigma * math.hypot(1, tau)
        tau += (target - found) / math.hypot(1, found) * (1 + (1 - _E**2) * tau**2) / ((1 - _E**2) * math.hypot(1, tau))
    return math.degrees(math.atan(tau)), longitude
