import ArgumentParser
import Model
