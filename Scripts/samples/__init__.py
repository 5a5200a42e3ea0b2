"""The modules of Scripts/make-samples, which invent the data under Samples/ (see its README).

Layers, lowest first:
  seeded, utm, package            random numbers and ids from a seed; coordinates; packages on disk
  picture, pit_photo, asset_photo, exif   photos drawn pixel by pixel, with camera data
  soils, places, pits, ...        InGe+: the ground of the pits, their places and their people
  plan, families, walk, ...       Anagrafica: a building, its assets, and the events of its survey
  healthy, healthy_building       small sound packages
  broken_*                        the same packages, each with one kind of fault
"""
