"""Metrics of dependency trees and enhanced graphs."""
