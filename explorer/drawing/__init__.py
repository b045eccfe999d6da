"""Pictures of trees and curves: colours and figures, without any page code."""
