"""The parts of Scripts/make-samples: what invents the sample data under Samples/ (see there for what comes out).

Layers, lowest first:
  seeded, utm, package            random numbers and ids from a seed; coordinates; packages on disk
  picture, pit_photo, asset_photo, exif   photos drawn pixel by pixel, with camera data
  soils, places, pits, ...        InGe+: what is in the ground, where, and who logged it
  plan, families, walk, ...       Anagrafica: a building, what hangs in it, and the events that tell how it got there
  healthy, healthy_building       small sound packages
  broken_*                        the same, each spoiled in one way
"""
