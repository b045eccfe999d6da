"""Pictures of trees and curves: colours, SVG, figures and the interactive view, without any page code."""
